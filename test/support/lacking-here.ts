/** In a worker: takes away what its address names after the question mark. */
import { lacks } from './lacking-devices.ts';

lacks[decodeURIComponent(location.search.slice(1)) as keyof typeof lacks]?.();
