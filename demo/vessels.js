// Shows the vessels of an eye that the page draws itself.
import { drawFundus } from './fundus.js';
import { tell } from './told.js';

const element = document.getElementById('demo');
const canvas = drawFundus();
tell(element, () => canvas);
element.source = canvas;
