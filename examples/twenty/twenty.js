// Tells how many work at this moment. Without this script the page does the same.
const elements = [...document.querySelectorAll('foveola-pupil')];
const message = document.getElementById('message');

const tell = () => {
  const running = elements.filter((element) => element.running).length;
  message.textContent = `${running} of ${elements.length} are in sight and run.`;
};
for (const element of elements) element.addEventListener('foveola-state', tell);
