/** The page of a form. */
import { EmptyState } from '#web/ui/components'
import { useSpeaker } from '../speaking'
import { Page as Frame } from './page'

export function Page({ occurrence: _ }: { occurrence: string }) {
  const { say } = useSpeaker()
  return (
    <Frame title={say('app.notLoaded')}>
      <EmptyState icon="inbox" title={say('app.notLoaded')} />
    </Frame>
  )
}
