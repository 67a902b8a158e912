export { inpaintBlendEnd, inpaintBlendStart, inpaintBlendSweep } from './blend';
export { inpaintAny, inpaintBlockSums, inpaintBox, inpaintHole, inpaintRuns, inpaintValid } from './candidates';
export { inpaintFill } from './fill';
export { inpaintKeys, inpaintNext } from './priority';
export { inpaintSearch } from './search';
export { inpaintBound, inpaintTarget } from './target';
export { inpaintConfidence, inpaintTerms } from './terms';
