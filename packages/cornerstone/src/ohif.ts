/** An extension of OHIF 3: display sets of photographs, a command that finds their vessels, and a panel with the values. */
import { reportCsv, type Engine } from 'foveola';
import { showLabelmap, type CornerstoneModules } from './cornerstone.ts';
import { vesselSegmentation, type VesselSegmentation } from './segmentation.ts';

const id = '@foveola/cornerstone';
const handler = 'photograph';
/** Ophthalmic photography, 8 and 16 bit. */
const sopClassUids = ['1.2.840.10008.5.1.4.1.1.77.1.5.1', '1.2.840.10008.5.1.4.1.1.77.1.5.2'];

export interface OhifInstance {
  readonly StudyInstanceUID: string;
  readonly SeriesInstanceUID: string;
  readonly SOPInstanceUID: string;
  readonly SOPClassUID: string;
  readonly NumberOfFrames?: number;
  readonly imageId?: string;
}

interface DisplaySet {
  readonly images?: readonly OhifInstance[];
  readonly instances?: readonly OhifInstance[];
  SOPClassHandlerId?: string;
}

interface Client {
  retrieveInstance(about: {
    studyInstanceUID: string;
    seriesInstanceUID: string;
    sopInstanceUID: string;
  }): Promise<ArrayBuffer>;
}

interface DataSource {
  readonly retrieve: { getWadoDicomWebClient?(): Client };
  getImageIdsForDisplaySet(set: DisplaySet): string[];
}

/** What OHIF passes to the modules of an extension. */
export interface OhifParams {
  readonly extensionManager: {
    getActiveDataSource(): DataSource[];
    getModuleEntry(
      name: string,
    ): { getDisplaySetsFromSeries(instances: readonly OhifInstance[]): DisplaySet[] } | undefined;
  };
  readonly servicesManager: {
    readonly services: {
      readonly viewportGridService: {
        getState(): {
          readonly activeViewportId: string;
          readonly viewports: Map<string, { readonly displaySetInstanceUIDs: readonly string[] }>;
        };
      };
      readonly displaySetService: { getDisplaySetByUID(uid: string): DisplaySet | undefined };
    };
  };
  readonly commandsManager: { runCommand(name: string): unknown };
}

export interface ExtensionOptions extends CornerstoneModules {
  /** Is called with the first photograph. */
  createEngine: () => Promise<Pick<Engine, 'vessels' | 'opticDisc'>>;
  /** React's. The panel is the only component. */
  createElement: (type: string, props: object | null, ...children: unknown[]) => unknown;
  /** The file of an instance. Default: from the DICOMweb server of the study. */
  load?: (instance: OhifInstance) => Promise<ArrayBuffer>;
  /** Gets each result, for example to store `seg` and `sr`. */
  onResult?: (result: VesselSegmentation, instance: OhifInstance) => void;
}

/** One display set for each photograph, made by OHIF's own handler of pictures. */
function displaySetsOf({ extensionManager }: OhifParams, instances: readonly OhifInstance[]): DisplaySet[] {
  const stack = extensionManager.getModuleEntry('@ohif/extension-default.sopClassHandlerModule.stack');
  if (!stack) throw new Error(`${id} needs @ohif/extension-default.`);
  const sets = instances.flatMap((instance) => stack.getDisplaySetsFromSeries([instance]));
  for (const set of sets) set.SOPClassHandlerId = `${id}.sopClassHandlerModule.${handler}`;
  return sets;
}

/** The photograph of the active viewport. */
function shown({ extensionManager, servicesManager }: OhifParams) {
  const { viewportGridService, displaySetService } = servicesManager.services;
  const { activeViewportId: viewportId, viewports } = viewportGridService.getState();
  for (const uid of viewports.get(viewportId)?.displaySetInstanceUIDs ?? []) {
    const set = displaySetService.getDisplaySetByUID(uid);
    const instance = (set?.images ?? set?.instances)?.[0];
    if (!set || !instance || !sopClassUids.includes(instance.SOPClassUID)) continue;
    const imageId = extensionManager.getActiveDataSource()[0]!.getImageIdsForDisplaySet(set)[0]!;
    return { viewportId, instance, imageId };
  }
  throw new Error('The active viewport does not show an ophthalmic photograph.');
}

async function fileOf({ extensionManager }: OhifParams, instance: OhifInstance): Promise<ArrayBuffer> {
  const client = extensionManager.getActiveDataSource()[0]?.retrieve.getWadoDicomWebClient?.();
  if (!client) throw new Error('The data source is not a DICOMweb server. Pass `load` to foveolaExtension.');
  return client.retrieveInstance({
    studyInstanceUID: instance.StudyInstanceUID,
    seriesInstanceUID: instance.SeriesInstanceUID,
    sopInstanceUID: instance.SOPInstanceUID,
  });
}

/** An extension for `pluginConfig.json` or `window.config.extensions`. */
export function foveolaExtension({ createEngine, createElement, load, onResult, ...modules }: ExtensionOptions) {
  let engine: ReturnType<typeof createEngine> | undefined;
  let count = 0;
  let write = (text: string): unknown => text;

  async function findVessels(params: OhifParams): Promise<VesselSegmentation> {
    const { viewportId, instance, imageId } = shown(params);
    engine ??= createEngine();
    const result = await vesselSegmentation(await engine, await (load?.(instance) ?? fileOf(params, instance)));
    showLabelmap(modules, result.labelmap, { imageId, viewportId, segmentationId: `foveola:${++count}:${imageId}` });
    write(reportCsv(result.report));
    onResult?.(result, instance);
    return result;
  }

  return {
    id,
    getSopClassHandlerModule: (params: OhifParams) => [
      {
        ...{ name: handler, sopClassUids },
        getDisplaySetsFromSeries: (instances: readonly OhifInstance[]) => displaySetsOf(params, instances),
      },
    ],
    getCommandsModule: (params: OhifParams) => ({
      actions: { foveolaFindVessels: () => findVessels(params) },
      definitions: { foveolaFindVessels: { commandFn: () => findVessels(params) } },
      defaultContext: 'DEFAULT',
    }),
    getPanelModule: ({ commandsManager }: OhifParams) => [
      {
        ...{ name: 'vessels', iconName: 'tab-segmentation', iconLabel: 'Vessels', label: 'Vessels' },
        component: () => {
          const place = (node: { textContent: string | null } | null) => {
            if (node) write = (text) => (node.textContent = text);
          };
          const onClick = () =>
            Promise.resolve(commandsManager.runCommand('foveolaFindVessels')).catch((error: Error) =>
              write(error.message),
            );
          return createElement(
            'div',
            null,
            createElement('button', { onClick }, 'Find vessels'),
            createElement('p', null, 'For research use. Not a medical device.'),
            createElement('pre', { ref: place }),
          );
        },
      },
    ],
  };
}
