/** Keeps the forms that are open on the device, so that they can be filled in without a connection. It shows nothing. */
import { useCopy } from '../device/copies'
import { person } from '../device/session'
import type { Item } from './homeRules'

/** How many: those that are to be done first. Others are kept when they are opened. */
const MOST = 12

export const KeptForms = ({ items }: { items: readonly Item[] }) => (
  <>
    {items.slice(0, MOST).map(({ entry }) => (
      <Kept key={entry._id} occurrence={entry._id} />
    ))}
  </>
)

function Kept({ occurrence }: { occurrence: string }) {
  useCopy(`/participants/trials/${person.value?.trial}/stages/${occurrence}`)
  return null
}
