/** Parts of the account that are loaded when the person comes to them. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, Notice, Skeleton } from '#web/ui/components'
import { useSpeaker } from './speaking'

/** Returns a component that loads another one, and says so if that does not succeed, as after an upgrade of the server. */
export function lazily(load: () => Promise<{ Page: ComponentType }>): ComponentType {
  return function Part() {
    const { say } = useSpeaker()
    const [Page, setPage] = useState<ComponentType>()
    const [isLost, setLost] = useState(false)
    useEffect(() => {
      load().then(
        (loaded) => setPage(() => loaded.Page),
        () => setLost(true),
      )
    }, [])
    if (Page) return <Page />
    if (!isLost) return <Skeleton lines={4} />
    return (
      <Notice kind="fault" title={say('site.failed')} isLive>
        <Button onPress={() => location.reload()}>{say('account.tryAgain')}</Button>
      </Notice>
    )
  }
}
