/** The worker thread: the second entry point of the executable. */

import { serveWork } from '#jobs/worker'
import { jobKinds } from './jobKinds'

serveWork(jobKinds)
