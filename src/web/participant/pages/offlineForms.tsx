/** Keeps the forms that are open, or will be soon, on the device, so that they can be filled in without a connection. It shows nothing. */
import { useEffect } from 'preact/hooks'
import { hasPattern } from '#web/form/hasPattern'
import type { StageDetail } from '#web/form/stage'
import { fetchCopy, readCopy } from '#web/participant/device/copies'
import { person } from '#web/participant/device/session'
import { keepGroup } from '#web/participant/device/worker'
import type { Item } from './homeRules'

/** How many: those that are to be done first. Others are kept when they are opened. */
const MOST = 12
/** How long before they open, in milliseconds: somebody may be without a connection for some days. */
const AHEAD = 3 * 86_400_000

/** The forms that open soon. @param now in milliseconds */
export const openingSoon = (coming: readonly Item[], now: number): Item[] =>
  coming.filter(({ opens }) => opens !== undefined && opens - now < AHEAD)

/** How old a copy may be, in milliseconds: staff may change the form. */
const FRESH = 3_600_000

async function keepForm(path: string): Promise<boolean> {
  const copy = await readCopy<StageDetail>(path)
  const isFresh = copy && Date.now() - Date.parse(copy.at) < FRESH
  const form = isFresh ? copy : await fetchCopy<StageDetail>(path)
  if ('fault' in form) return false
  if (hasPattern(form.value)) void keepGroup('patterns')
  return true
}

/** One after the other, so that what the person does goes first; until the first that fails. */
async function keepAll(paths: readonly string[], isCurrent: () => boolean): Promise<void> {
  for (const path of paths) if (!isCurrent() || !(await keepForm(path))) return
}

export function OfflineForms({ items }: { items: readonly Item[] }) {
  const trial = person.value?.trial
  const occurrences = items.slice(0, MOST).map(({ entry }) => entry._id)
  const all = occurrences.join(' ')
  useEffect(() => {
    let isShown = true
    const paths = all ? all.split(' ').map((each) => `/participants/trials/${trial}/stages/${each}`) : []
    void keepAll(paths, () => isShown)
    return () => {
      isShown = false
    }
  }, [all, trial])
  return null
}
