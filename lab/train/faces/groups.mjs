// Groups for which the cards of the face models report figures: skin tone, pose, size, camera, worn things.

function cameraOf({ exposure, blur, motion, noise, quality, pixels }) {
  const lacks = [];
  if (exposure < 0.15) lacks.push('dark');
  if (blur > 0.7 || motion > 2) lacks.push('blurred');
  if (noise > 5) lacks.push('noisy');
  if (quality < 45) lacks.push('compressed');
  if (pixels < 110) lacks.push('low resolution');
  return lacks.length ? lacks : ['none of these'];
}

/** Names of the groups that a rendered head belongs to. `side`: mean side of the box of its points, pixels. */
export function groupsOf({ look, yaw, pitch, camera }, side, worn) {
  const turned = Math.abs(yaw);
  return [
    'all',
    `skin tone ${look.tone}`,
    `yaw ${turned < 20 ? 'below 20' : turned < 40 ? '20 to 40' : turned < 60 ? '40 to 60' : 'above 60'} degrees`,
    ...(turned < 40 && Math.abs(pitch) > 15 ? ['pitch above 15 degrees, yaw below 40'] : []),
    `size ${side} px`,
    ...(turned < 40 ? cameraOf(camera).map((lack) => `camera ${lack}, yaw below 40`) : []),
    ...(turned < 40 ? (worn.length ? worn : ['nothing']).map((name) => `worn ${name}, yaw below 40`) : []),
  ];
}
