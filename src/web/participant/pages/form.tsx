/** The page of a form. */
import type { EntryProblem } from '#web/form/answers/model'
import { FormPage } from '#web/participant/form/form'
import { Page as Frame } from './page'
import { useStudy } from './study'

export function Page({ occurrence }: { occurrence: string }) {
  const { me, refresh } = useStudy()
  const hasLeft = me?.participant.isWithdrawn === true
  const noteRefusal = ({ code }: EntryProblem) => {
    if (code === 'withdrawn' || code?.startsWith('consent')) void refresh()
  }
  return <FormPage key={occurrence} occurrence={occurrence} hasLeft={hasLeft} onRefused={noteRefusal} frame={Frame} />
}
