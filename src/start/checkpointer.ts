/** The thread of checkpoints: an entry point of the executable, as small as possible. */
import { serveCheckpoints } from '#db/checkpointThread'

serveCheckpoints()
