// Shows the vessels of an eye that the page draws itself.
import { drawFundus } from './fundus.js';
import { showEngine } from './engine-status.js';

const element = document.getElementById('demo');
const canvas = drawFundus();
showEngine(element, () => canvas);
element.source = canvas;
