// Where the three parts of the example live. Portal and widget are on origins of their own, as in a clinic.
export const portalOrigin = 'http://127.0.0.1:8000';
export const widgetOrigin = 'http://localhost:8000';
export const fhirServer = 'http://127.0.0.1:8080/fhir';
/** A recording in the place of the camera, to try it out. */
export const recording = '/demo/media/sample.webm';
