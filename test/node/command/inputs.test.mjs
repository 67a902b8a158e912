// Inputs of the command: each has a result or a line that says why not, and nothing else stops for it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { folder } from '../../command/support.mjs';

describe('inputs of the command', () => {
  let command;
  let made;
  let picture;
  before(async () => {
    command = await importTs('test/node/command/library.ts');
    picture = await command.picture(0);
  });
  beforeEach(() => {
    made = folder();
    mkdirSync(made.at('in'));
    writeFileSync(made.at('in/good.tif'), picture);
  });
  afterEach(() => made.remove());

  const put = (file, bytes = picture) => {
    mkdirSync(path.dirname(made.at(file)), { recursive: true });
    writeFileSync(made.at(file), bytes);
  };
  const run = (...words) => command.lines([...words, '--out', made.at('r')]);
  /** One line, exit code 2, and the other file is done. */
  const costsOneLine = async (message, words = [made.at('in')]) => {
    const { code, text } = await run(...words);
    assert.equal(code, 2, text);
    const [line, ...rest] = text.trim().split('\n');
    assert.match(line, message);
    assert.match(rest.join('\n'), /^1 file done, 1 failed, [^\n]*$/);
    assert.ok(existsSync(made.at('r/good.tif.lines.csv')));
  };

  it('whose name is not UTF-8', async () => {
    writeFileSync(Buffer.concat([Buffer.from(made.at('in/caf')), Buffer.from([0xe9]), Buffer.from('.tif')]), picture);
    await costsOneLine(/in\/caf\\xe9\.tif: the name is not UTF-8\. Rename it\.$/);
  });

  it('in a folder that cannot be read', async () => {
    put('in/closed/x.tif');
    const closed = made.at('in/closed');
    chmodSync(made.path, 0o755);
    chmodSync(closed, 0);
    const root = process.getuid?.() === 0;
    if (root) {
      chmodSync(made.path, 0o777);
      process.seteuid(65534);
    }
    try {
      await costsOneLine(/in\/closed cannot be read \(EACCES\)\. Check its permissions\.$/);
    } finally {
      if (root) process.seteuid(0);
      chmodSync(closed, 0o755);
    }
  });

  it('that are pipes, alone and in a folder', async () => {
    execFileSync('mkfifo', [made.at('in/pipe.webm')]);
    await costsOneLine(/in\/pipe\.webm is a pipe, not a file\.$/);
    const { code, text } = await run(made.at('in/pipe.webm'));
    assert.equal(code, 1);
    assert.match(text, /^foveola: .*pipe\.webm is a pipe, not a file\.\n$/);
  });

  it('that are sockets', async () => {
    const server = createServer().listen(made.at('in/s.webm'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      await costsOneLine(/in\/s\.webm is a socket, not a file\.$/);
    } finally {
      server.close();
    }
  });

  it('that are devices, which have no end', async () => {
    await costsOneLine(/^\/dev\/zero is a device, not a file\.$/, ['/dev/zero', made.at('in/good.tif')]);
    const { code, text } = await run(made.at('in'), '--params', '/dev/zero');
    assert.equal(code, 1);
    assert.match(text, /\/dev\/zero is a device, not a file/);
  });

  for (const [what, bytes, message] of [
    ['one byte', 'x', /^bad\.webm: .+ \(\S+\)$/],
    ['a text', 'Recorded on Monday.\n', /^bad\.webm: .+ \(\S+\)$/],
    ['nothing', '', /^bad\.webm: .*empty.* \(\S+\)$/],
  ])
    it(`that hold ${what} under the name of a recording`, async () => {
      put('in/bad.webm', bytes);
      await costsOneLine(message);
    });

  it('that do not exist', async () => {
    await costsOneLine(/none\.tif cannot be read \(ENOENT\)/, [made.at('none.tif'), made.at('in')]);
    rmSync(made.at('r'), { recursive: true });
    await costsOneLine(/^No file matches .*none\*\.tif/, [made.at('none*.tif'), made.at('in')]);
  });

  it('that are links which lead nowhere, or to themselves', async () => {
    symlinkSync('loop.tif', made.at('in/loop.tif'));
    await costsOneLine(/in\/loop\.tif is a broken link \(ELOOP\)\.$/);
  });

  it('whose name leaves no room for that of a result', async () => {
    const long = `${'n'.repeat(248)}.tif`;
    put(`in/${long}`);
    const { code, text } = await run(made.at('in'));
    assert.equal(code, 2, text);
    assert.match(text, /^n{248}\.tif: The name is too long\. Rename the input\./m);
    assert.match(text, /1 file done, 1 failed/);
    assert.deepEqual(readdirSync(made.at('r')).sort(), [
      'foveola.jsonl',
      'good.tif.lines.csv',
      'good.tif.lines.csv.json',
    ]);
  });

  it('are those of a folder once, with links that lead back, to the side and out of it', async () => {
    put('in/a/x.tif');
    put('in/clip.webm/y.tif'); // a folder that is called like a recording
    put('outside/z.tif');
    symlinkSync('..', made.at('in/a/back'));
    symlinkSync(made.at('in/a'), made.at('in/0-side'));
    symlinkSync(made.at('outside'), made.at('in/out'));
    for (let i = 0; i < 12; i++) symlinkSync('..', made.at(`in/a/back-${i}`));
    const { code, text } = await run(made.at('in'));
    assert.equal(code, 0, text);
    const tables = readdirSync(made.at('r'), { recursive: true }).filter((file) => file.endsWith('.csv'));
    const names = ['a/x', 'clip.webm/y', 'good', 'out/z'];
    assert.deepEqual(tables.sort(), names.map((name) => `${name}.tif.lines.csv`)); // prettier-ignore
  });

  it('are counted where they are texts, and a folder of nothing else says so', async () => {
    put('in/notes.txt', 'left eye first\n');
    put('in/README', 'none\n');
    assert.match((await run(made.at('in'))).text, /^2 text files skipped\.\n1 file done, 0 failed/);
    put('texts/notes.txt', 'x');
    mkdirSync(made.at('empty'));
    const { code, text } = await run(made.at('empty'));
    assert.equal(code, 1);
    assert.match(text, /^foveola: .*empty has no image or recording in it/);
    assert.match((await run(made.at('texts'))).text, /^foveola: .*texts has only text files in it/);
  });

  it('may be in the folder of results, and results are none', async () => {
    const first = await command.lines([made.at('in'), '--out', made.at('in')]);
    assert.equal(first.code, 0, first.text);
    const again = await command.lines([made.at('in'), '--out', made.at('in')]);
    assert.match(again.text, /^1 of 1 files are done already/m);
    await command.lines([made.at('in'), '--out', made.at('in/below')]);
    assert.ok(existsSync(made.at('in/below/good.tif.lines.csv')));
    assert.match(
      (await command.lines([made.path, '--out', made.at('in/below')])).text,
      /^1 of 1 files are done already/m,
    );
  });

  it('print no character that controls a terminal', async () => {
    const names = [
      'new\nline',
      'esc\u001b[2J',
      'rtl\u202etif.exe',
      'bell\u0007',
      'c1\u009b31m',
      'zero\u200bwidth',
      'sep\u2028',
    ];
    for (const name of names) put(`in/${name}.webm`, 'x');
    const { code, text } = await run(made.at('in'));
    assert.equal(code, 2);
    assert.equal(text.trim().split('\n').length, names.length + 1);
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    assert.match(text, /^esc\\u\{1b\}\[2J\.webm: /m);
    assert.match(text, /^new\\nline\.webm: /m);
    assert.match(
      (await command.lines([made.at('in\u001b'), '--out', made.at('r')])).text,
      /in\\u\{1b\} cannot be read|in\u001b/,
    );
  });

  it('have results where no folder can be made, and where it is a file, in one line', async () => {
    writeFileSync(made.at('file'), '');
    symlinkSync('nothing', made.at('dangling'));
    for (const out of [made.at('file'), made.at('file/below'), made.at('dangling'), '/proc/foveola', '/dev/null']) {
      const { code, text } = await command.lines([made.at('in'), '--out', out]);
      assert.equal(code, 1, out);
      assert.match(text, /^foveola: .* cannot be created or read \(\w+\)\. Choose another --out\.\n$/);
    }
    mkdirSync(made.at('r/foveola.jsonl'), { recursive: true });
    assert.match((await run(made.at('in'))).text, /^foveola: .*foveola\.jsonl is not a file\. Move it away\.\n$/);
  });

  it('that fail for the place of their results do not stop the others', async () => {
    put('in/a/x.tif');
    mkdirSync(made.at('r'));
    writeFileSync(made.at('r/a'), ''); // where their folder should be
    mkdirSync(made.at('r/b.tif.lines.csv'));
    put('in/b.tif');
    const { code, text } = await run(made.at('in'));
    assert.equal(code, 2, text);
    assert.match(text, /^a\/x\.tif: Its results cannot be written \((EEXIST|ENOTDIR)\)\. Check /m);
    assert.match(text, /^b\.tif: .*b\.tif\.lines\.csv exists and is not a result of this input/m);
    assert.match(text, /1 file done, 2 failed/);
  });

  it(
    'stop at a full disk, and whole results stay',
    { skip: !canMount() && 'no right to mount a small disk' },
    async () => {
      mkdirSync(made.at('small'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', made.at('small')]);
      try {
        for (let i = 0; i < 40; i++) put(`in/${i}.tif`);
        const { code, text } = await command.lines([made.at('in'), '--out', made.at('small')]);
        assert.equal(code, 1);
        assert.match(text, /^foveola: The disk of .*small is full\. Free some space/m);
        const there = readdirSync(made.at('small'));
        assert.ok(!there.some((file) => file.startsWith('.foveola-part')), there.join());
      } finally {
        execFileSync('umount', [made.at('small')]);
      }
    },
  );
});

function canMount() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return false;
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}

describe('names of results', () => {
  let command;
  before(async () => {
    command = await importTs('test/node/command/library.ts');
  });
  const namesOf = async (...given) => {
    const listStore = async () => ['s3://b/in/a/../../x.png', 's3://b/in/a%2fb.png'].map((path) => ({ path, header: async () => new Blob(['GIF8']) })); // prettier-ignore
    const { files, faults } = await command.inputFiles(given, { out: '/nowhere/r', isResult: () => false, listStore });
    return { names: files.map(({ name }) => name), faults };
  };

  it('of addresses stay below the folder of results, whatever is coded in them', async () => {
    for (const [address, name] of [
      ['https://h/a/clip.webm', 'clip.webm'],
      ['https://h/a%20b.png?x=1#y', 'a b.png'],
      ['https://h/..%2f..%2fetc%2fx.png', '..%2f..%2fetc%2fx.png'],
      ['https://h/%2e%2e%2fx.png', '%2e%2e%2fx.png'],
      ['https://h/a%5c..%5cx.png', 'a%5c..%5cx.png'],
      ['https://h/100%.bmp', '100%.bmp'],
      ['https://h/%e9.png', '%e9.png'],
      ['https://h/a%00b.png', 'a%00b.png'],
      ['https://h/a%0ab.png', 'a%0ab.png'],
      ['https://h', 'input'],
      ['https://h/%2e%2e/', 'input'],
      ['HTTPS://H/X.png', 'X.png'],
      ['s3://b/in/100%.bmp', '100%.bmp'],
      ['s3://b/in/a?b#c.png', 'a?b#c.png'],
    ])
      assert.deepEqual(await namesOf(address), { names: [name], faults: [] }, address);
  });

  it('that leave it, and addresses that are none, cost one line each', async () => {
    const { names, faults } = await namesOf(
      's3://b/in/',
      'https://',
      'https://me:secret@h/x.png',
      'https://h/.foveola%2fy.png',
      'https://h/x.png',
    );
    assert.deepEqual(names, ['a%2fb.png', 'x.png']);
    assert.equal(faults.length, 4);
    assert.match(faults.join('\n'), /'a\/\.\.\/\.\.\/x\.png', leaves the folder of results/);
    assert.doesNotMatch(faults.join('\n'), /secret/);
  });

  it('are longer where two would be the same', async () => {
    const two = await namesOf('https://h/a/x.png', 'https://h/b/x.png');
    assert.deepEqual(two.names, ['a/x.png', 'b/x.png']);
    assert.deepEqual((await namesOf('https://h/a/x.png', 'https://h/b/X.PNG')).names, ['a/x.png', 'b/X.PNG']);
    assert.deepEqual((await namesOf('https://h/a/x.png', 'https://h/b/y.png')).names, ['x.png', 'y.png']);
    const folders = await namesOf('https://h/a/x.png', 'https://g/a/x.png');
    assert.deepEqual(folders.names, ['h/a/x.png', 'g/a/x.png']);
  });

  it('are possible where they are stored', () => {
    const { nameFault } = command;
    for (const name of [
      '',
      '/',
      '/x',
      'x/',
      '.',
      '..',
      'a/../b',
      'a//b',
      'a\0',
      '\ud800',
      '.foveola/x',
      '.FOVEOLA-part',
      'x'.repeat(5000),
    ])
      assert.ok(nameFault(name, false), name);
    for (const name of ['x', 'a/b.png', '..x', 'x..', ' ', '100%.bmp', 'new\nline', 'a\\b', 'con', 'a.foveola/x'])
      assert.equal(nameFault(name, false), null, name);
    for (const name of ['con', 'a/NUL.png', 'COM1', 'x.', 'x ', 'a./b', 'a:b', 'a\\b', 'a?b', 'a\nb', 'a|b'])
      assert.ok(nameFault(name, true), name);
    assert.equal(nameFault('console/nulls.png', true), null);
  });

  it('of patterns are below their fixed part, and folders that no file of it can be in are not searched', () => {
    const { folder: at, wanted } = command.patternOf('data/s*/eye/*.webm');
    assert.equal(at, 'data/');
    for (const [name, enters] of [
      ['s1', true],
      ['lost+found', false],
      ['s1/eye', true],
      ['s1/raw', false],
      ['s1/eye/x', false],
      ['.s1', false],
    ])
      // prettier-ignore
      assert.equal(wanted.enters(name), enters, name);
    assert.ok(wanted.has('s1/eye/a.webm') && !wanted.has('s1/eye/a.txt') && !wanted.has('s1/eye/.a.webm'));
    const deep = command.patternOf('**/*.{webm,mp4}').wanted;
    assert.ok(deep.enters('a/b/c') && !deep.enters('a/.git') && deep.has('a/b/x.mp4') && deep.has('x.webm'));
    // A folder that it matches is taken whole.
    const folders = command.patternOf('s[12]').wanted;
    assert.ok(folders.enters('s1') && folders.enters('s1/a') && folders.has('s1/a/x.tif') && !folders.has('s1/.x'));
    assert.equal(command.patternOf('plain.webm'), null);
  });
});
