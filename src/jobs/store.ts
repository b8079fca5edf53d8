import type { Db } from '#db/open'

/** Takes back the last try of the jobs that run: the server stops because it was told to. */
export const takeBackTries = ({ $client }: Db): void =>
  void $client.run(`UPDATE jobs SET tries = tries - 1 WHERE status = 'pending' AND tries > 0`)
