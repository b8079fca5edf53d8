/** Where the AI endpoint begins. In a file of its own, since every start of a service with an endpoint needs it. */
import type { Db } from '#db/open'

/** The name of the position that the endpoint has reached. */
export const CURSOR = 'queriesOfAi'

/** Lets the endpoint skip the submissions until now, if it has no position yet: they are from before it was configured. */
export const startAiQueries = ({ $client }: Pick<Db, '$client'>): unknown =>
  $client.run(
    `INSERT INTO cursors (name, value) SELECT '${CURSOR}', coalesce(max(_id), 0) FROM storedSubmissions WHERE TRUE
     ON CONFLICT DO NOTHING`,
  )
