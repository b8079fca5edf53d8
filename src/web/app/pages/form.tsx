/** The page of a form. */

import { useSpeaker } from '#web/app/speaking'
import { EmptyState } from '#web/ui/components'
import { Page as Frame } from './page'

export function Page({ occurrence: _ }: { occurrence: string }) {
  const { say } = useSpeaker()
  return (
    <Frame title={say('app.notLoaded')}>
      <EmptyState icon="inbox" title={say('app.notLoaded')} />
    </Frame>
  )
}
