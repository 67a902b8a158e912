// Tells how many work at this moment. Without this script the page does the same.
const elements = [...document.querySelectorAll('foveola-pupil')];
const told = document.getElementById('told');

const tell = () => {
  const running = elements.filter((element) => element.running).length;
  told.textContent = `${running} of ${elements.length} are in sight and run.`;
};
for (const element of elements) element.addEventListener('foveola-state', tell);
