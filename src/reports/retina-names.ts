/** Names of the measures of a retina, in groups. Screen, JSON, tables and paper use them. */

/** The measures that a reader looks at first. */
export const retinaHeads = {
  vessels: {
    vesselPercent: 'Vessel area',
    totalLength: 'Total vessel length',
    meanWidth: 'Mean vessel width',
    segments: 'Vessel segments',
    branchPoints: 'Branch points',
  },
  caliber: {
    crae: 'Central retinal artery equivalent (CRAE)',
    crve: 'Central retinal vein equivalent (CRVE)',
    avr: 'Arteriole-to-venule ratio (AVR)',
    zoneBWidth: 'Mean width, zone B',
    zoneCWidth: 'Mean width, zone C',
  },
  shape: {
    tortuosity: 'Vessel tortuosity',
    curvature: 'Vessel curvature',
    fractalDimension: 'Fractal dimension',
    branchingAngle: 'Branching angle',
    branchingExponent: 'Branching exponent',
  },
  quality: {
    quality: 'Quality',
    discConfidence: 'Optic disc, confidence',
    zoneSeen: 'Zone in view',
    kindsConfidence: 'Separation of arteries and veins',
  },
} as const;

export const retinaFurther = {
  vessels: {
    discDensitySuperior: 'Vessel density, disc, superior',
    discDensityInferior: 'Vessel density, disc, inferior',
    discDensityNasal: 'Vessel density, disc, nasal',
    discDensityTemporal: 'Vessel density, disc, temporal',
    foveaDensitySuperior: 'Vessel density, fovea, superior',
    foveaDensityInferior: 'Vessel density, fovea, inferior',
    foveaDensityNasal: 'Vessel density, fovea, nasal',
    foveaDensityTemporal: 'Vessel density, fovea, temporal',
  },
  caliber: {
    craeVessels: 'CRAE, arterioles used',
    craeSpread: 'CRAE, spread',
    crveVessels: 'CRVE, venules used',
    crveSpread: 'CRVE, spread',
    craeHubbard: 'CRAE (Parr 1974, Hubbard 1999)',
    crveHubbard: 'CRVE (Hubbard 1999)',
    avrHubbard: 'AVR (Hubbard 1999)',
    zoneMeanWidth: 'Mean width beside the disc',
    zoneAWidth: 'Mean width, zone A',
  },
  shape: {
    arteryTortuosity: 'Tortuosity of the arterioles',
    veinTortuosity: 'Tortuosity of the venules',
    arteryCurvature: 'Curvature of the arterioles',
    veinCurvature: 'Curvature of the venules',
    fractalError: 'Fractal dimension, standard error',
    forks: 'Forks',
    branchingAreaRatio: 'Branching area ratio',
    branchingAsymmetry: 'Branching asymmetry',
  },
  quality: {
    agreement: 'Expected agreement with an annotator',
    discX: 'Optic disc, x',
    discY: 'Optic disc, y',
    discRadius: 'Optic disc, radius',
    foveaX: 'Fovea, x',
    foveaY: 'Fovea, y',
  },
} as const;

export type RetinaGroup = keyof typeof retinaHeads;
