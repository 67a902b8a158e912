const output = document.querySelector('output');
document.querySelector('foveola-pupil').addEventListener('foveola-result', ({ detail }) => {
  const [pupil] = detail.pupils;
  if (pupil.found) output.textContent = `pupil found, diameter ${pupil.diameter.toFixed(1)}`;
});
