/** One page of A4, in print and on a screen. Black on white: it is copied and faxed. */
export const style = `
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
html { background: #e9ecef; color: #111; font: 9.5pt/1.35 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
body { margin: 0; }
main { width: 210mm; min-height: 297mm; margin: 6mm auto; padding: 12mm; background: #fff; display: flex; flex-direction: column; }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 8mm; border-bottom: 1.5pt solid #111; padding-bottom: 3mm; }
h1 { font-size: 17pt; line-height: 1.15; margin: 0; font-weight: 600; }
header div p { margin: 1mm 0 0; color: #444; }
.notice { flex: none; margin: 0; border: 1pt solid #111; padding: 1.2mm 2.5mm; font-weight: 600; font-size: 9pt; max-width: 60mm; text-align: center; }
h2 { font-size: 11pt; margin: 4.5mm 0 1.5mm; font-weight: 600; }
.facts { display: grid; grid-template-columns: 1fr 1fr; gap: 0 8mm; margin: 3mm 0 0; }
.facts div { display: grid; grid-template-columns: 26mm 1fr; border-bottom: .4pt solid #ccc; padding: .7mm 0; }
dt { color: #444; }
dd { margin: 0; overflow-wrap: anywhere; }
.warnings { border-left: 3pt solid #111; background: #f4f4f4; margin: 3.5mm 0 0; padding: 1.5mm 3mm; }
.warnings strong { display: block; }
.warnings ul { margin: 0; padding-left: 4.5mm; }
.plots { display: grid; grid-template-columns: 1fr 1fr; gap: 6mm; }
figure { margin: 0; }
tr, figure, .sign { break-inside: avoid; }
figcaption { font-weight: 600; margin-bottom: .5mm; }
small { font-weight: normal; color: #444; font-size: 8pt; }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 8.5px; fill: #333; }
.grid { stroke: #ccc; stroke-width: .5; }
.blink { fill: #ddd; }
.closure { fill: #bbb; }
.loss { fill: #111; }
.onset { stroke: #111; stroke-width: 1; stroke-dasharray: 3 2; }
.filled { fill: none; stroke: #999; stroke-width: 1; stroke-dasharray: 1.5 1.5; }
.measured { fill: none; stroke: #0b3d91; stroke-width: 1.2; stroke-linejoin: round; }
.key { color: #444; font-size: 8pt; margin: .5mm 0 0; }
img { display: block; max-width: 100%; max-height: 80mm; margin: 0 auto; }
table { border-collapse: collapse; width: 100%; font-size: 8.8pt; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .5mm 1.2mm; border-bottom: .4pt solid #ccc; font-weight: normal; }
thead th { border-bottom: .8pt solid #111; font-weight: 600; vertical-align: bottom; }
tbody th, thead th:first-child { text-align: left; padding-left: 0; }
td.unit, th.unit { text-align: left; color: #444; padding-right: 0; }
th.section { font-weight: 600; padding-top: 2mm; }
.pair { display: grid; grid-template-columns: 54fr 46fr; gap: 6mm; align-items: start; }
.stack table { width: auto; min-width: 105mm; }
tbody th { white-space: nowrap; }
thead th { max-width: 24mm; }
footer { margin-top: auto; padding-top: 4mm; color: #333; font-size: 7.5pt; overflow-wrap: anywhere; }
footer p { margin: .6mm 0 0; }
.sign { display: flex; gap: 8mm; color: #111; font-size: 9pt; margin: 0 0 4mm; }
.sign span { flex: 1; border-top: .6pt solid #111; padding-top: .8mm; margin-top: 9mm; }
@media print {
  html { background: none; }
  main { width: auto; min-height: 270mm; margin: 0; padding: 0; }
}
`;
