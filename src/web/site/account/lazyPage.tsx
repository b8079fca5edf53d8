/** Parts of the account that are loaded when the person comes to them. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, Notice, Skeleton } from '#web/kit/ui/components'
import { useTranslator } from './translator'

/** Returns a component that loads another one, and says so if that does not succeed, as after an upgrade of the server. */
export function lazyPage(load: () => Promise<{ Page: ComponentType }>): ComponentType {
  return function LazyPage() {
    const { t } = useTranslator()
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
      <Notice kind="fault" title={t('site.failed')} isLive>
        <Button onPress={() => location.reload()}>{t('account.tryAgain')}</Button>
      </Notice>
    )
  }
}
