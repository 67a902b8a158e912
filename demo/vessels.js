// Shows the vessels of a photograph, or of an eye that the page draws itself.
import { drawFundus } from './fundus.js';
import { offerSources, showEngine } from './engine-status.js';

const element = document.getElementById('demo');
const photograph = 'media/fundus.jpg';
showEngine(element);
offerSources(element, { photograph, drawn: drawFundus() });
element.source = photograph;
