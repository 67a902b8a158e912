// The demo pages in the site are stored with it.
import { startOffline } from './offline.js';

startOffline(document.currentScript.src);
