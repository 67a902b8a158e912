/** Text for a terminal. Names of files, addresses and queued jobs are not trusted: none of their characters may control it. */

/**
 * Control characters, bidirectional overrides, other invisible format characters, line separators and halves of pairs. The two
 * joiners stay: names in Persian, Hindi and emoji need them, and they move nothing.
 */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Characters of one line; a job can carry a message of any length. */
const LONGEST = 4000;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** On one line, with what is unsafe as its code: `\n`, `\u{1b}`. */
export function printable(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
  return cut.replace(unsafe, (one) => short[one] ?? `\\u{${one.codePointAt(0)!.toString(16)}}`);
}

/** Prints one line. */
export function printLine(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${printable(text)}\n`);
}
