// Has the page stored on this device, says when it is, and offers a new version when there is one.
const message = document.getElementById('message');
const update = document.getElementById('update');
const { serviceWorker } = navigator;

/** A new version waits until its user takes it: what is being measured is not cut off by a reload. */
function offer(registration) {
  if (!registration.waiting || !serviceWorker.controller) return;
  update.hidden = false;
  update.onclick = () => registration.waiting.postMessage('take over');
}

let controlled = Boolean(serviceWorker.controller);
serviceWorker.addEventListener('controllerchange', () => {
  if (controlled) location.reload();
  controlled = true;
});

// The name of the script is the page's own; pages that demand Trusted Types need a policy that says so.
const trusted = globalThis.trustedTypes?.createPolicy('offline', { createScriptURL: (address) => address });
const script = 'service-worker.js';
try {
  const registration = await serviceWorker.register(trusted?.createScriptURL(script) ?? script);
  registration.addEventListener('updatefound', () =>
    registration.installing.addEventListener('statechange', () => offer(registration)),
  );
  offer(registration);
  await serviceWorker.ready;
  message.textContent = 'Stored on this device: works without a network.';
} catch (error) {
  message.textContent = `Could not be stored on this device: ${error.message}`;
}
