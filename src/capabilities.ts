/** Everything that this build can do: importing a capability registers its operations and trackers. */
import './image/operations.ts';
import './pupil/index.ts';
