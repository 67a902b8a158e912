/** Strings of the table of photographs and of the comparison of two visits. */

const english = {
  table: 'Measures of the photographs',
  photograph: 'Photograph',
  measure: 'Measure',
  difference: 'Difference',
  show: (name: string) => `Show ${name}`,
  visit: (number: number) => `Visit ${number}`,
  choose: 'Choose a photograph',
  compare: 'Compare two visits',
  csv: 'Measures as CSV',
  differences: 'Differences as CSV',
  aligned: (degrees: string, scale: string, percent: string) =>
    `Aligned on disc and vessels: visit 2 is turned by ${degrees}° and scaled by ${scale}. ${percent} % of the vessels agree.`,
  unaligned:
    'These photographs do not match, so they are not aligned and have no differences. They may show another eye or another person, or too few vessels. Check the optic disc of both.',
  pixels: 'Lengths are in pixels of each photograph. Set the scale to compare them.',
};

export type VisitWords = typeof english;

const german: VisitWords = {
  table: 'Messwerte der Bilder',
  photograph: 'Bild',
  measure: 'Messwert',
  difference: 'Differenz',
  show: (name) => `${name} zeigen`,
  visit: (number) => `Besuch ${number}`,
  choose: 'Bild wählen',
  compare: 'Zwei Besuche vergleichen',
  csv: 'Messwerte als CSV',
  differences: 'Differenzen als CSV',
  aligned: (degrees, scale, percent) =>
    `An Papille und Gefäßen ausgerichtet: Besuch 2 ist um ${degrees}° gedreht und mit ${scale} skaliert. ${percent} % der Gefäße stimmen überein.`,
  unaligned:
    'Diese Bilder passen nicht zueinander. Sie sind deshalb nicht ausgerichtet und haben keine Differenzen. Vielleicht zeigen sie ein anderes Auge, eine andere Person oder zu wenige Gefäße. Bitte die Papille in beiden prüfen.',
  pixels: 'Längen sind in Pixeln des jeweiligen Bildes. Zum Vergleichen den Maßstab angeben.',
};

export const visitWords = { en: english, de: german };
