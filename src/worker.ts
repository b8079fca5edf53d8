/** The worker thread: an entry point of its own in the executable. */

import { serveWork } from '#jobs/worker'
import { jobKinds } from './jobKinds'

serveWork(jobKinds)
