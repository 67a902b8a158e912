// The photographs of ../shared/data/fundus, and the lines to beat measured on them (../shared/peers.md).
const drive = (n) => ({
  image: `drive/${n}_test.png`,
  truth: `drive/${n}_manual1.png`,
  second: `drive/${n}_manual2.png`,
  field: `drive/${n}_fov.png`,
});
const stare = (n) => ({ image: `stare/im${n}.png`, truth: `stare/im${n}_ah.png`, second: `stare/im${n}_vk.png` });
const chase = (n) => ({
  image: `chase/Image_${n}.jpg`,
  truth: `chase/Image_${n}_1stHO.png`,
  second: `chase/Image_${n}_2ndHO.png`,
});
const hrf = (n) => ({ image: `hrf/${n}.jpg`, truth: `hrf/${n}_vessels.png`, field: `hrf/${n}_fov.png` });

export const SETS = [
  { name: 'DRIVE', photographs: ['01', '03', '08', '19'].map(drive), line: [0.934, 0.7039] },
  { name: 'STARE', photographs: ['0001', '0077', '0162', '0255'].map(stare), line: [0.9422, 0.7332] },
  { name: 'CHASE_DB1', photographs: ['01L', '01R', '06L', '11R'].map(chase), line: [0.94, 0.6754] },
  { name: 'HRF', photographs: ['01_h', '05_dr', '10_g'].map(hrf), line: [0.9487, 0.6998], half: true },
];
