/** In a worker: its context is lost when the page says so, on the channel that the worker's address names. */
import { obeyLosses } from '../support/losing-context.ts';

obeyLosses(new BroadcastChannel(location.search.slice(1)));
