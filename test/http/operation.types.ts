/**
 * Code that must not compile; `npm run types` checks it. Each case follows `@ts-expect-error`, which is an error itself
 * if its line compiles. The first operation shows that valid code compiles.
 */

import { team } from '#accounts/teams/scope'
import { self } from '#conduct/participantSessions/scope'
import { group } from '#design/groups/scope'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { newId } from '#kernel/id'
import { id, instant, list, maybe, oneOf, shape, text, whole } from '#wire/schema'

const Input = shape({ name: text(1, 100), colour: maybe(text(1, 40)) })
const Thing = shape({ _id: id(), at: instant(), kind: oneOf('a', 'b'), names: list(text(1, 100)) })
const thing = { _id: newId(0), at: 0, kind: 'a' as const, names: ['x'] as readonly string[], isExtra: true }

const edit = { id: 'updateGroup', method: 'PUT', path: '/groups/:groupId', summary: 'Change a group' } as const

export const right = operation({
  ...edit,
  scope: group,
  needs: ['trial.admin', anywhere('group.writeFiles'), 'team.admin'],
  needsByField: { name: 'trial.write', colour: 'nothing' },
  of: 'group',
  logs: 'updateGroup',
  body: Input,
  query: shape({ limit: maybe(whole(1, 10)) }),
  returns: Thing,
  prepare: async ({ access, body, query, request }) =>
    [access.trial.size, body.name, query.limit, request.url] as const,
  run: ({ access, caller, group, params, prepared, trial }) => {
    const text: readonly string[] = [caller.user.name, group.name, params.groupId, trial.name, prepared[1]]
    return { ...thing, names: [...text, `${access.places.size}`] }
  },
})

operation({
  ...edit,
  // @ts-expect-error a misspelt permission
  needs: 'trial.wirte',
  returns: Thing,
  run: () => thing,
})

operation({
  ...edit,
  // @ts-expect-error a misspelt permission among several
  needs: ['trial.write', 'trails.create'],
  returns: Thing,
  run: () => thing,
})

// @ts-expect-error a misspelt permission held anywhere
anywhere('trial.wirte')

// @ts-expect-error no needs
operation({ ...edit, returns: Thing, run: () => thing })

operation({
  ...edit,
  who: 'participant',
  // @ts-expect-error a permission for callers who have none
  needs: 'trial.read',
  returns: Thing,
  run: () => thing,
})

operation({
  ...edit,
  needs: 'nothing',
  // @ts-expect-error a field that the body does not have
  needsByField: { name: 'trial.write', colour: 'nothing', size: 'trial.write' },
  body: Input,
  returns: Thing,
  run: () => thing,
})

operation({
  ...edit,
  needs: 'nothing',
  // @ts-expect-error a field of the body is not covered
  needsByField: { name: 'trial.write' },
  body: Input,
  returns: Thing,
  run: () => thing,
})

operation({
  ...edit,
  needs: 'nothing',
  // @ts-expect-error a misspelt permission of a field
  needsByField: { name: 'trial.wirte', colour: 'nothing' },
  body: Input,
  returns: Thing,
  run: () => thing,
})

operation({
  ...edit,
  needs: 'nothing',
  returns: Thing,
  // @ts-expect-error a misspelt parameter
  run: ({ params }) => ({ ...thing, names: [params.gruopId] }),
})

operation({
  ...edit,
  path: '/teams/:teamId/things',
  needs: 'nothing',
  returns: Thing,
  // @ts-expect-error a parameter that only another path has
  run: ({ params: { groupId } }) => ({ ...thing, _id: groupId }),
})

operation({
  ...edit,
  needs: 'nothing',
  returns: Thing,
  // @ts-expect-error a wrong value
  run: () => ({ ...thing, at: 'noon' }),
})

operation({
  ...edit,
  needs: 'nothing',
  returns: Thing,
  // @ts-expect-error an unknown permission
  run: () => ({ ...thing, kind: 'c' as const }),
})

operation({
  ...edit,
  needs: 'nothing',
  returns: Thing,
  // @ts-expect-error a missing field
  run: () => ({ _id: thing._id }),
})

operation({
  ...edit,
  needs: 'nothing',
  returns: Thing,
  // @ts-expect-error undefined for a field that may be null
  run: () => [thing].at(0),
})

operation({
  ...edit,
  needs: 'nothing',
  returns: shape({}),
  // @ts-expect-error a stream that the operation does not declare
  run: () => new Response(),
})

operation({ ...edit, needs: 'nothing', returns: Thing, streams: true, run: () => new Response() })

operation({
  ...edit,
  needs: 'nothing',
  returns: shape({}),
  // @ts-expect-error a promise: run must not wait
  run: async () => ({}),
})

operation({
  ...edit,
  // @ts-expect-error a scope on a path that lacks its parameter
  scope: team,
  needs: 'nothing',
  returns: Thing,
  run: () => thing,
})

operation({
  ...edit,
  path: '/participants/trials/:trialId/things',
  who: 'participant',
  // @ts-expect-error a scope of staff for participants
  scope: trial,
  needs: 'nothing',
  returns: Thing,
  run: () => thing,
})

operation({
  ...edit,
  path: '/teams/:teamId/things',
  scope: team,
  needs: 'team.admin',
  returns: Thing,
  // @ts-expect-error access where the scope loads none
  run: ({ access }) => ({ ...thing, names: [`${access}`] }),
})

operation({
  ...edit,
  path: '/participants/things',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: Thing,
  // @ts-expect-error access of a participant
  run: ({ access }) => ({ ...thing, names: [`${access}`] }),
})

operation({
  ...edit,
  scope: group,
  needs: 'trial.admin',
  // @ts-expect-error a noun that the scope does not load
  of: 'site',
  returns: Thing,
  run: () => thing,
})

const { id: _, ...nameless } = edit
// @ts-expect-error no id
operation({ ...nameless, needs: 'nothing', returns: Thing, run: () => thing })
