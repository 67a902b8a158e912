import { CUSTOM_ELEMENTS_SCHEMA, Component, signal } from '@angular/core';
import type { PupilResult } from 'foveola';
import 'foveola/elements/pupil.js';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <foveola-pupil src="sample.webm" controls loop (foveola-result)="show($event)"></foveola-pupil>
    <output>{{ told() }}</output>
  `,
})
export class App {
  readonly told = signal('no pupil yet');

  show({ detail }: CustomEvent<PupilResult>) {
    const [pupil] = detail.pupils;
    if (pupil.found) this.told.set(`pupil found, diameter ${pupil.diameter.toFixed(1)}`);
  }
}
