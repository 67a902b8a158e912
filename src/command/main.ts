/** The command `foveola`. */
import { asFoveolaError, FoveolaError, version } from '../node/index.ts';
import { analyse } from './analyse.ts';
import { analyses } from './analyses/index.ts';
import { jobProcess, serveJobs } from './job-child.ts';
import { lsl } from './lsl/lsl.ts';
import { queue } from './queue/queue.ts';
import { status } from './queue/status.ts';
import { worker } from './queue/worker.ts';
import { report } from './report.ts';
import { score } from './score/index.ts';
import { printLine } from './progress.ts';
import { usage } from './usage.ts';

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  ...{ score, report, lsl },
  ...{ queue, worker, status },
};

/** Returns the exit code. */
export async function command([name = '--help', ...args]: readonly string[]): Promise<number> {
  try {
    if (name === '--version' || name === '-v') console.log(version);
    else if (name === '--help' || name === '-h' || args.includes('--help')) console.log(usage);
    else if (Object.hasOwn(analyses, name)) return await analyse(name, args);
    else if (Object.hasOwn(commands, name)) return await commands[name]!(args);
    else throw new FoveolaError('invalid-argument', `Unknown command '${name}'. Run foveola --help for a list.`);
    return 0;
  } catch (error) {
    printLine(`foveola: ${asFoveolaError(error, name).message}`, process.stderr);
    return 1;
  }
}

if (process.env[jobProcess]) serveJobs(Number(process.env[jobProcess]));
else process.exitCode = await command(process.argv.slice(2));
