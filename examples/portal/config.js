// Where the three parts of the example live. Portal and widget are on origins of their own, as in a clinic; here these are two
// names of one machine, and this file is read by both.
const { hostname, origin, port } = location;
const there = `http://${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`;
const inFrame = window !== window.parent;
export const portalOrigin = inFrame ? there : origin;
export const widgetOrigin = inFrame ? origin : there;
/** For instance 'https://clinic.example/fhir'; null: what would be sent is only listed. */
export const fhirServer = null;
/** A recording in the place of the camera, to try it out; with ?camera in the address the camera itself. */
export const recording = new URLSearchParams(location.search).has('camera') ? null : '/demo/media/sample.webm';
