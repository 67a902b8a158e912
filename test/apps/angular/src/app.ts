import { CUSTOM_ELEMENTS_SCHEMA, Component, type OnInit, signal } from '@angular/core';
import { createEngine, type PupilResult } from 'foveola';
import 'foveola/elements/pupil.js';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <foveola-pupil src="sample.webm" controls loop (foveola-result)="show($event)"></foveola-pupil>
    <output>{{ heard() }}</output>
    <output>{{ faces() }}</output>
  `,
})
export class App implements OnInit {
  readonly heard = signal('no pupil yet');
  readonly faces = signal('no model yet');

  /** The library without an element: an empty picture has no face, but the model that looks for one was loaded. */
  async ngOnInit() {
    const engine = await createEngine();
    const faces = await engine.detectFaces({ width: 64, height: 64, data: new Uint8Array(64 * 64) });
    this.faces.set(`${faces.length} faces`);
    await engine.dispose();
  }

  show({ detail }: CustomEvent<PupilResult>) {
    const [pupil] = detail.pupils;
    if (pupil.found) this.heard.set(`pupil found, diameter ${pupil.diameter.toFixed(1)}`);
  }
}
