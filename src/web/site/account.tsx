/** The account of a member of staff: sign in, make API keys, delete them. */
import { useEffect, useState } from 'preact/hooks'
import { ask } from '#web/common/api'
import { Button, Notice, Skeleton, Toasts } from '#web/ui/components'
import { Keys } from './keys'
import type { Session } from './session'
import { SignIn } from './signIn'
import { mountPage, useSpeaker } from './speaking'

function Account() {
  const speaker = useSpeaker()
  const { say } = speaker
  // Undefined until the server has said whether there is a session.
  const [session, setSession] = useState<Session | null>()
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    void ask<Session>(speaker, 'GET', '/sessions').then((answer) => setSession(answer.isDone ? answer.body : null))
  }, [speaker])

  const signOut = async () => {
    const answer = await ask(speaker, 'DELETE', '/sessions', { csrfToken: session?.csrfToken })
    // A session that has ended meanwhile needs no end.
    if (answer.isDone || answer.status === 401) location.reload()
    else setFault(answer.message)
  }
  if (session === undefined) return <Skeleton lines={4} />
  if (!session) return <SignIn onSignedIn={setSession} />
  return (
    <>
      <div class="bar">
        <p class="lead">
          {say('account.signedInAs')} <bdi class="strong">{`${session.user.name} (${session.user.email})`}</bdi>
        </p>
        <Button onPress={signOut}>{say('account.signOut')}</Button>
      </div>
      {fault && <Notice kind="fault" title={fault} isLive />}
      <Keys csrfToken={session.csrfToken} />
      <Toasts />
    </>
  )
}

await mountPage(Account)
