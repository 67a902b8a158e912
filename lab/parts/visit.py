"""A visit to a machine with a graphics card and no browser: opens each packed page as often as asked, and keeps its logs.

Usage: visit.py PAGES DRIVE LOGS SECONDS NAME[=TIMES] ... -- CHROMIUM_FLAG ...
  PAGES    what `npm run lab -- hardware --pack PAGES` wrote; its file `commit` goes beside the logs
  DRIVE    the script that opens a page and prints window.__result: drive.py FOLDER PAGE TIMEOUT_S FLAG ...
  LOGS     NAME.log is the run whose figure is the median of its runs, NAME-1.log and so on are all of them
  SECONDS  after which no further page is opened, and a page is given up
The figure that runs are sorted by: the mean of all `fps`, or of all `ms`, that a result has.
"""
import json, os, shutil, subprocess, sys, time

def last_json(text):
    lines = [line for line in text.split('\n') if line.startswith('{')]
    try:
        return json.loads(lines[-1]) if lines else None
    except ValueError:
        return None

def figure(value):
    """The mean of the rates in a result, of its milliseconds where it has none."""
    found = {'fps': [], 'ms': []}
    def walk(one):
        if isinstance(one, dict):
            for key, inner in one.items():
                if key in found and isinstance(inner, (int, float)): found[key].append(inner)
                walk(inner)
        elif isinstance(one, list):
            for inner in one: walk(inner)
    walk(value)
    values = found['fps'] or found['ms']
    return sum(values) / len(values) if values else 0

def main(arguments):
    cut = arguments.index('--') if '--' in arguments else len(arguments)
    pages, drive, logs, seconds, *names = arguments[:cut]
    flags, end = arguments[cut + 1:], time.time() + float(seconds)
    os.makedirs(logs, exist_ok=True)
    if os.path.exists(os.path.join(pages, 'commit')): shutil.copy(os.path.join(pages, 'commit'), logs)
    for name, times in (word.split('=') if '=' in word else (word, '1') for word in names):
        runs = []
        for turn in range(1, int(times) + 1):
            left = end - time.time()
            if left < 20:
                print(name, turn, 'left out: no time', flush=True)
                continue
            start = time.time()
            out = subprocess.run([sys.executable, drive, os.path.join(pages, name), 'page.html', str(int(left)), *flags],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
            file = os.path.join(logs, f'{name}-{turn}.log' if int(times) > 1 else f'{name}.log')
            open(file, 'w').write(out)
            result = last_json(out)
            print(name, turn, 'done' if result else 'NO RESULT', round(time.time() - start), 's', flush=True)
            if result: runs.append((figure(result), file))
        if len(runs) and int(times) > 1: shutil.copy(sorted(runs)[(len(runs) - 1) // 2][1], os.path.join(logs, f'{name}.log'))

main(sys.argv[1:])
