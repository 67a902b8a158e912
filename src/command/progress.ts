/** A progress line with rate and time left. Prints nothing if the output is not a terminal. */

// Text for a terminal. Names of files, URLs and queued jobs are not trusted: none of their characters may control it.

/**
 * Control characters, bidirectional overrides, other invisible format characters, line separators and lone surrogates.
 * The two joiners stay, because names in Persian, Hindi and emoji need them, and they do not move the cursor.
 */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Maximum characters of one line, because a job can contain a message of any length. */
const LONGEST = 4000;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text on one line, with unsafe characters as their codes: `\n`, `\u{1b}`. */
export function printable(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
  return cut.replace(unsafe, (one) => short[one] ?? `\\u{${one.codePointAt(0)!.toString(16)}}`);
}

/** Prints one line. */
export function printLine(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${printable(text)}\n`);
}

const WIDTH = 24;
const EVERY = 100;

export class Progress {
  readonly #total: number;
  readonly #out: NodeJS.WriteStream;
  readonly #began = performance.now();
  #files = 0;
  #frames = 0;
  #failed = 0;
  #shown = 0;

  constructor(total: number, out: NodeJS.WriteStream = process.stderr) {
    this.#total = total;
    this.#out = out;
  }

  frames(count: number): void {
    this.#frames += count;
    this.#show();
  }

  file(failed: boolean): void {
    this.#files++;
    if (failed) this.#failed++;
    this.#show(this.#files === this.#total);
  }

  /** Writes a line above the bar, on a terminal or not. */
  say(line: string): void {
    this.clear();
    printLine(line, this.#out);
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K');
  }

  #show(now = false): void {
    if (!this.#out.isTTY || (!now && performance.now() - this.#shown < EVERY)) return;
    this.#shown = performance.now();
    this.#out.write(`\r\x1b[K${this.line()}`);
  }

  line(): string {
    const seconds = (performance.now() - this.#began) / 1000;
    const share = this.#files / this.#total;
    const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
    const left = this.#files ? clock((seconds * (1 - share)) / share) : '-';
    const failed = this.#failed ? `, ${this.#failed} failed` : '';
    return `[${bar}] ${this.#files}/${this.#total} files${failed}  ${(this.#frames / seconds).toFixed(0)} frames/s  ${left} left`;
  }
}

export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
