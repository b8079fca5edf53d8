import type { Db } from '#db/open'

/** Takes back the last try of the jobs that run: the server was stopped on purpose. */
export const undoLastTries = ({ $client }: Db): void =>
  void $client.run(`UPDATE jobs SET tries = tries - 1 WHERE status = 'pending' AND tries > 0`)
