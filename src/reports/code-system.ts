/** Our own codes, for concepts without a code in LOINC, SNOMED CT and DICOM or without one that could be looked up. */
import { version } from '../results/version.ts';
import type { FhirCodeSystem } from './fhir-types.ts';
import { allMeasures } from './measures.ts';
import { panels } from './groups.ts';

/** Base address of our identifiers. It does not have to exist as a page. */
export const canonical = 'https://github.com/foveola/foveola/fhir';
export const codeSystem = `${canonical}/CodeSystem/measures`;

/**
 * All codes with their definitions as a FHIR CodeSystem, for a server that needs the meaning of the codes it receives.
 */
export function foveolaCodeSystem(): FhirCodeSystem {
  const concept = [...Object.values(panels), ...allMeasures].map(({ code, display, definition }) => ({
    ...{ code, display, definition },
  }));
  return {
    resourceType: 'CodeSystem',
    id: 'foveola-measures',
    url: codeSystem,
    version,
    name: 'FoveolaMeasures',
    title: 'Measures of foveola',
    status: 'active',
    experimental: true,
    description:
      'Values that foveola measures in recordings of pupils and in photographs of the retina. For research use, not a medical device.',
    caseSensitive: true,
    content: 'complete',
    count: concept.length,
    concept,
  };
}
