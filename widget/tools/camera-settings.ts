/** Settings of an open camera: device, resolution, rate, mirroring. */
import { html, nothing } from 'lit';
import type { CameraAbilities } from '../parts/camera-control.ts';
import { button, type CameraActions } from '../base/views.ts';
import type { Strings } from '../strings/index.ts';

const value = (event: Event) => (event.target as HTMLSelectElement).value;

export function cameraSettings(s: Strings, options: CameraAbilities, mirror: boolean, act: CameraActions) {
  const { devices, deviceId: current, sizes, rates, width, height, frameRate } = options;
  const rate = rates.find((r) => Math.abs(r - frameRate) < 1);
  return html`<div class="camera" part="camera" role="group" aria-label=${s.cameraSettings}>
    <label
      >${s.device}
      <select @change=${(e: Event) => act.device(value(e))}>
        ${devices.map(
          ({ deviceId, label }, i) =>
            html`<option value=${deviceId} ?selected=${deviceId === current}>
              ${label || s.unnamedCamera(i + 1)}
            </option>`,
        )}
      </select></label
    >
    <label
      >${s.resolution}
      <select
        @change=${(e: Event) => {
          const [w, h] = value(e).split('x').map(Number);
          act.size(w!, h!);
        }}
      >
        ${sizes.map(
          ([w, h]) => html`<option value="${w}x${h}" ?selected=${w === width && h === height}>${w} × ${h}</option>`,
        )}
      </select></label
    >
    <label
      >${s.rate}
      <select @change=${(e: Event) => act.rate(Number(value(e)))}>
        ${
          rate === undefined
            ? html`<option value="0" selected>${frameRate ? s.number(frameRate, 1) : s.automatic}</option>`
            : nothing
        }
        ${rates.map((r) => html`<option value=${r} ?selected=${r === rate}>${r}</option>`)}
      </select></label
    >
    <label class="check"
      ><input
        type="checkbox"
        .checked=${mirror}
        @change=${(e: Event) => act.mirror((e.target as HTMLInputElement).checked)}
      />
      ${s.mirror}</label
    >
    ${devices.length > 1 || options.facing ? button('flip', s.flip, act.flip) : nothing}
  </div>`;
}
