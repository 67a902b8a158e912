/** Everything that this build can do: importing a capability registers its operations and trackers. */
import './edges/index.ts';
import './flow/index.ts';
import './faces/index.ts';
import './image/operations.ts';
import './inpaint/index.ts';
import './objects/index.ts';
import './pupil/index.ts';
import './vessels/index.ts';
