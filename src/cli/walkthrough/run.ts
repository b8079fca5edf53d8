/** The demo: a new server with a complete made-up study that has just ended. */

import { DAY, systemClock } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { addresses } from '#server/banner'
import type { Config } from '#server/config/settings'
import type { InitialContent } from '#server/start'
import { testClock } from '#server/testing/clock'
import { openAccount } from './accounts'
import { connect, type Send } from './client'
import { CLOSING_DAYS, nextMidnight, type Outcome, runStudy, type Size } from './study'

const ACCOUNT = { email: 'demo@example.org', name: 'Dana Demo', team: 'Riverside Trials Unit' }

/** Sends requests to the server's own address, so its self-made certificate needs no check. */
const localFetch: Send = (url, init) => fetch(url, { ...init, tls: { rejectUnauthorized: false } })

/**
 * Runs a study on a new server. The server's clock starts as many weeks ago as the study lasts, and shows the
 * machine's time afterwards.
 */
export function demoContent(
  config: Config,
  isTemporary: boolean,
  size: Size,
  print: (line: string) => void,
): InitialContent {
  const clock = testClock(systemClock)
  const start = nextMidnight(systemClock.now()) - (size.weeks * 7 + CLOSING_DAYS + 1) * DAY
  clock.set(start)
  return {
    clock,
    isTemporary,
    async fill({ services }, { url, port, setup }) {
      print(`A made-up study of ${size.participants} participants over ${size.weeks} weeks:`)
      const account = await openAccount(connect(url, localFetch), setup!, ACCOUNT)
      const [team] = (await account.client.get('/teams')).teams
      const moveTo = (at: number) => {
        clock.set(at)
        return services.tick()
      }
      const { email, password, apiKey } = account
      const studyServer = { url, email, password, apiKey, team: team._id, start, moveTo, send: localFetch }
      const outcome = await runStudy(studyServer, size, (line) => print(`  ${line}`))
      clock.restore(undefined)
      print(introduction(addresses(config, port), config.data, isTemporary, account, outcome))
    },
  }
}

/** The text that is printed when the demo is ready. */
function introduction(
  urls: readonly string[],
  data: string,
  isTemporary: boolean,
  { email, password, apiKey }: { email: string; password: string; apiKey: string },
  { trial, participant }: Outcome,
): string {
  const [url] = urls
  const curl = `curl ${url!.startsWith('https') ? '-k ' : ''}`
  const signIn = JSON.stringify({ trialCode: trial.code, ...participant })
  return `
Trialbox ${serviceVersion}, with a whole study in it

  listening    ${urls.join('\n               ')}
  data         ${data}
               ${isTemporary ? 'deleted when it stops; to keep it: trialbox demo --data <directory>' : `kept; later: trialbox serve --data ${data}`}
  account      ${email}, password ${password}
  API key      ${apiKey}
  trial        ${trial._id}, code ${trial.code}
  participant  ${participant.participantId}, password ${participant.password}

Ask it as staff, then as the participant:

  ${curl}-H 'Authorization: Bearer ${apiKey}' '${url}/trials/${trial._id}/participants?scheduleBehind=true'
  ${curl}-H 'Authorization: Bearer ${apiKey}' '${url}/trials/${trial._id}/responses?type=excel'
  ${curl}-H 'Authorization: Bearer ${apiKey}' '${url}/trials/${trial._id}/queries?status=open'
  ${curl}-H 'Authorization: Bearer ${apiKey}' '${url}/trials/${trial._id}/logs/communication'
  ${curl}-H 'Content-Type: application/json' -d '${signIn}' ${url}/participants/sessions

The whole interface: ${url}/docs. Stop with Ctrl+C.
`
}
