/** Keeps on the device what the pages of the menu show, so that they can be read without a connection, whichever page was opened first. */
import { useEffect } from 'preact/hooks'
import { fetchCopy } from '#web/participant/device/copies'
import { person } from '#web/participant/device/session'
import { route } from '#web/participant/route'
import type { Me } from './apiTypes'

/** The timeline of a person: what the first page shows. */
export const timelinePath = (trial: string | undefined): string => `/participants/trials/${trial}/stages`

const [EVENTS, MEETINGS, MESSAGES] = ['/participants/events', '/participants/meetings', '/participants/messages']

/** Reads each anew: what did not change is not sent again. */
export function useOfflinePages(me: Me | undefined): void {
  const trial = person.value?.trial
  const hasCalls = me?.trial.features.videoCalls === true
  useEffect(() => {
    // The first page reads it itself.
    const timeline = route.value === '' ? [] : [timelinePath(trial)]
    const paths = [...timeline, EVENTS, MESSAGES, ...(hasCalls ? [MEETINGS] : [])]
    for (const path of paths) void fetchCopy(path).catch(() => undefined)
  }, [trial, hasCalls])
}
