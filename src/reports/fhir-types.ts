/** The parts of FHIR R4 (4.0.1) that are written here. A test checks the output against the R4 schema itself. */

export interface Coding {
  system: string;
  code: string;
  display: string;
}

export interface CodeableConcept {
  coding?: Coding[];
  text?: string;
}

export interface FhirReference {
  /** Absent for a resource that only its identifier names. */
  reference?: string;
  type?: string;
  identifier?: { system: string; value: string };
  display?: string;
}

export interface FhirQuantity {
  value: number;
  unit: string;
  system: string;
  code: string;
}

export interface Extension {
  url: string;
  extension?: Extension[];
  valueString?: string;
  valueDecimal?: number;
  valueInteger?: number;
  valueBoolean?: boolean;
  valueUri?: string;
}

interface Resource {
  id?: string;
  meta?: { tag?: Coding[]; profile?: string[] };
  text?: { status: 'generated'; div: string };
  extension?: Extension[];
  identifier?: { system: string; value: string }[];
}

export interface FhirComponent {
  code: CodeableConcept;
  valueQuantity?: FhirQuantity;
  valueString?: string;
  valueCodeableConcept?: CodeableConcept;
  dataAbsentReason?: CodeableConcept;
  referenceRange?: {
    low: FhirQuantity;
    high: FhirQuantity;
    age?: { low?: FhirQuantity; high?: FhirQuantity };
    text: string;
  }[];
}

export interface FhirObservation extends Resource {
  resourceType: 'Observation';
  status: 'preliminary' | 'final';
  category: CodeableConcept[];
  code: CodeableConcept;
  subject?: FhirReference;
  encounter?: FhirReference;
  effectivePeriod?: { start: string; end: string };
  effectiveDateTime?: string;
  issued: string;
  note?: { text: string }[];
  derivedFrom?: FhirReference[];
  bodySite?: CodeableConcept;
  method?: CodeableConcept;
  device?: FhirReference;
  component: FhirComponent[];
}

export interface FhirDiagnosticReport extends Resource {
  resourceType: 'DiagnosticReport';
  status: 'preliminary' | 'final';
  category: CodeableConcept[];
  code: CodeableConcept;
  subject?: FhirReference;
  encounter?: FhirReference;
  effectivePeriod?: { start: string; end: string };
  effectiveDateTime?: string;
  issued: string;
  result: FhirReference[];
  imagingStudy?: FhirReference[];
  conclusion: string;
  presentedForm?: { contentType: string; language: string; data: string; title: string }[];
}

export interface FhirDevice extends Resource {
  resourceType: 'Device';
  status: 'active';
  manufacturer?: string;
  modelNumber?: string;
  serialNumber?: string;
  deviceName: { name: string; type: 'user-friendly-name' | 'model-name' }[];
  type?: CodeableConcept;
  version?: { value: string }[];
  note?: { text: string }[];
}

export interface FhirImagingStudy extends Resource {
  resourceType: 'ImagingStudy';
  status: 'available';
  subject: FhirReference;
  encounter?: FhirReference;
  numberOfSeries?: number;
  series?: {
    uid: string;
    modality: Omit<Coding, 'display'>;
    laterality?: Coding;
    instance: { uid: string; sopClass: Omit<Coding, 'display'> }[];
  }[];
}

export interface FhirCodeSystem extends Resource {
  resourceType: 'CodeSystem';
  url: string;
  version: string;
  name: string;
  title: string;
  status: 'active';
  experimental: boolean;
  description: string;
  caseSensitive: boolean;
  content: 'complete';
  count: number;
  concept: { code: string; display: string; definition: string }[];
}

export type FhirResource = FhirObservation | FhirDiagnosticReport | FhirDevice | FhirImagingStudy | FhirCodeSystem;

export interface BundleEntry {
  fullUrl: string;
  resource: FhirResource;
  request?: { method: 'POST'; url: string; ifNoneExist: string };
}

export interface Bundle {
  resourceType: 'Bundle';
  type: 'collection' | 'transaction';
  timestamp?: string;
  entry: BundleEntry[];
}
