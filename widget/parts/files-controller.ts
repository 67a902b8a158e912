/** Handles batches of files. The code for it is loaded only when several files are opened. */
import { asFoveolaError, FoveolaError, type FoveolaErrorCode, loadPart, readImage, shown } from '../../src/index.ts';
import type { Dropped } from '../several/gather.ts';
import { loadVideoWriter } from '../base/feed.ts';
import type { FileResult, SeveralFiles, SeveralGiven } from '../several/several-files.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult } from '../base/kind.ts';

const loadSeveral = () =>
  loadPart('several-files.js', () => import('../several/several-files.ts'), 'Several files at once', 'open one');

type Given<R extends AnyResult> = Omit<SeveralGiven<R>, 'asOurs' | 'sequence'>;

export class FilesController<R extends AnyResult> {
  readonly #given: Given<R>;
  #loading: Promise<SeveralFiles<R>> | null = null;
  #several: SeveralFiles<R> | null = null;

  constructor(given: Given<R>) {
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
    return (await this.#load('analyseFiles', files)).run(files);
  }

  async openPictures(files: readonly Dropped[], rate: number): Promise<void> {
    if (typeof rate !== 'number' || !(rate >= 0.1 && rate <= 1000))
      throw new FoveolaError(
        'invalid-argument',
        `openPictures: the rate must be a number of 0.1 to 1000, not ${shown(rate)}.`,
      );
    return (await this.#load('openPictures', files)).openPictures(files, rate);
  }

  async #load(method: string, files: readonly Dropped[]): Promise<SeveralFiles<R>> {
    const { element } = this.#host;
    // Not every browser exposes the class of the entries that it returns.
    const isEntry = (one: unknown) => 'isDirectory' in Object(one);
    if (!Array.isArray(files) || !files.every((one) => one instanceof File || isEntry(one)))
      throw new FoveolaError('invalid-argument', `${method}: pass an array of files.`);
    if (!element.isConnected)
      throw new FoveolaError('source-not-ready', 'The element is not in a page. Append it first.');
    await element.updateComplete; // its list is inside
    const loading = (this.#loading ??= loadSeveral().then(
      ({ SeveralFiles: Several }) =>
        (this.#several = new Several<R>({
          ...this.#given,
          asOurs: (error) => asFoveolaError(error, 'This file'),
          sequence: {
            ...{ readImage, loadVideoWriter },
            error: (code: FoveolaErrorCode, message: string) => new FoveolaError(code, message),
          },
        })),
    ));
    loading.catch(() => (this.#loading = null));
    return loading;
  }
}
