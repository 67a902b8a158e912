// The reader of tables in R, where R is installed. JSON is read where the package jsonlite is.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { openAsItIs, writeTables } from '../../python/test/tables.mjs';

const r = (code, ...args) => spawnSync('Rscript', ['-e', code, ...args], { encoding: 'utf8' });
const code = `
args <- commandArgs(trailingOnly = TRUE)
source(args[1])
cat(sapply(args[-1], function(file) {
  table <- read_foveola(file)
  diameter <- if (grepl("json$", file)) table$diameter else table$diameter_px
  paste(nrow(table), mean(diameter, na.rm = TRUE), sum(is.na(diameter)), NROW(attr(table, "events")))
}), sep = "\\n")
`;

describe('the tables in R', { skip: r('1').status !== 0 && 'no R' }, () => {
  let folder;
  before(async () => (folder = await writeTables()));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const read = (...files) => {
    const reader = fileURLToPath(new URL('../foveola.R', import.meta.url));
    const { stdout, stderr } = r(code, reader, ...files.map((file) => `${folder}/${file}`));
    assert.equal(stderr, '');
    return stdout.trim().split('\n');
  };

  it('have the rows and empty values of a CSV, with comment lines or without', () =>
    assert.deepEqual(read('alone.csv', 'comments.csv'), ['5 52 1 0', '5 52 1 0']));

  for (const [name, load] of [
    ['read.csv', ''],
    ['readr::read_csv', 'readr'],
  ])
    // prettier-ignore
    it(`open in ${name} as they are`, { skip: load && r(`library(${load})`).status !== 0 && `no ${load}` }, () => {
      const plain = `t <- as.data.frame(${name}(commandArgs(trailingOnly = TRUE)[1]))\ncat(nrow(t), mean(t$diameter_px, na.rm = TRUE), names(t)[1])`;
      const { stdout } = r(plain, `${folder}/${openAsItIs}`);
      assert.equal(stdout.trim(), '5 52 filename');
    });

  it('have the events of the JSON', { skip: r('library(jsonlite)').status !== 0 && 'no jsonlite' }, () =>
    assert.deepEqual(read('both.csv', 'both.json', 'beside.csv'), ['5 52 1 1', '5 52 1 1', '5 52 1 1']),
  );
});
