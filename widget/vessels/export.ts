/** Results of <foveola-vessels> as files. */
import {
  maskPng,
  overlayPng,
  type Source,
  vesselsCsv,
  type VesselExportHeader,
  vesselsJson,
  type VesselResult,
  version,
} from '../../src/index.ts';
import type { Capabilities } from '../../src/index.ts';
import type { Feed } from '../parts/feed.ts';
import { sha256 } from '../parts/hash.ts';

export interface VesselExport {
  result: VesselResult;
  /** What was analysed. */
  picture: Source;
  feed: Pick<Feed, 'name' | 'bytes'>;
  capabilities: Capabilities;
  /** All of them, with the defaults. */
  parameters: Record<string, unknown>;
  /** `#rrggbb`, and 0 to 1. */
  color: string;
  opacity: number;
}

async function headerOf({ result, feed, capabilities, parameters }: VesselExport): Promise<VesselExportHeader> {
  const { gpu: renderer, threads } = capabilities;
  const source = { name: feed.name, sha256: await sha256(feed.bytes) };
  return { version, source, parameters, backend: result.side ?? capabilities.backend, renderer, threads };
}

export const rgbOf = (color: string): [number, number, number] => {
  const value = parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

export const exportedMask = async (of: VesselExport): Promise<Blob> =>
  maskPng(of.result, { header: await headerOf(of) });

export const exportedOverlay = async (of: VesselExport): Promise<Blob> =>
  overlayPng(of.picture, of.result, {
    header: await headerOf(of),
    color: rgbOf(of.color),
    opacity: of.opacity,
  });

export const exportedCsv = async (of: VesselExport): Promise<string> => vesselsCsv(of.result, await headerOf(of));

export const exportedJson = async (of: VesselExport): Promise<string> => vesselsJson(of.result, await headerOf(of));
