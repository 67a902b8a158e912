/** Several files at once: what does that is loaded when they are given, and not before. */
import { asFoveolaError, FoveolaError } from '../../src/index.ts';
import type { Dropped } from '../several/gather.ts';
import { loadSeveral } from '../several/load.ts';
import type { FileResult, SeveralFiles, SeveralGiven } from '../several/several-files.ts';
import type { Host } from './host.ts';
import type { AnyResult } from './kind.ts';

export class FilesController<R extends AnyResult> {
  readonly #given: Omit<SeveralGiven<R>, 'asOurs'>;
  #loading: Promise<SeveralFiles<R>> | null = null;
  #several: SeveralFiles<R> | null = null;

  constructor(given: Omit<SeveralGiven<R>, 'asOurs'>) {
    this.#given = given;
  }

  get #host(): Host<R> {
    return this.#given.host;
  }

  /** The list of files. */
  get panel(): HTMLElement | null {
    return this.#several?.panel ?? null;
  }

  async analyse(files: readonly Dropped[]): Promise<readonly FileResult[]> {
    const { element } = this.#host;
    if (!Array.isArray(files) || !files.every((one) => one instanceof File || one instanceof FileSystemEntry))
      throw new FoveolaError('invalid-argument', 'analyseFiles: give an array of files.');
    if (!element.isConnected)
      throw new FoveolaError(
        'source-not-ready',
        'Files are analysed in an element that stands in a page: append it first.',
      );
    await element.updateComplete; // its list stands inside
    const loading = (this.#loading ??= loadSeveral().then(
      ({ SeveralFiles: Several }) =>
        (this.#several = new Several<R>({
          ...this.#given,
          asOurs: (error) => asFoveolaError(error, 'This file'),
        })),
    ));
    loading.catch(() => (this.#loading = null));
    return (await loading).run(files);
  }
}
