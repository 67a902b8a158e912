/** The styles that all elements share. */
import { controlsStyle } from './controls.style.ts';
import { elementStyle } from './element.style.ts';
import { forcedStyle } from './forced.style.ts';
import { panelStyle } from './panel.style.ts';
import { shapeStyle } from './shape.style.ts';

export const commonStyles = [elementStyle, controlsStyle, panelStyle, shapeStyle, forcedStyle];
