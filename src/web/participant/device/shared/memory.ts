/**
 * The database of the app on a shared tablet: in memory, so that nothing of a person can stay behind. It does what the app asks of
 * IndexedDB, and compares keys by the browser's own rules.
 */
type Key = IDBValidKey
type Value = Record<string, unknown>
type KeyQuery = Key | IDBKeyRange
type StoreShape = { path?: string | readonly string[]; indexes: Readonly<Record<string, string | readonly string[]>> }

const SHAPES: Readonly<Record<string, StoreShape>> = {
  own: { indexes: {} },
  copies: { path: ['who', 'path'], indexes: {} },
  drafts: { path: ['who', 'occurrence'], indexes: {} },
  queue: { path: 'number', indexes: { byId: 'id', byWho: 'who' } },
  blobs: { path: 'id', indexes: { byEntry: 'entry', byDraft: ['who', 'draft'] } },
}

const keyAt = (value: Value, path: string | readonly string[]): Key | undefined => {
  if (typeof path === 'string') return value[path] as Key | undefined
  const parts = path.map((name) => value[name] as Key | undefined)
  return parts.some((part) => part === undefined) ? undefined : (parts as Key[])
}

const matchesKey = (key: Key | undefined, wanted: KeyQuery | undefined): boolean => {
  if (key === undefined) return false
  if (wanted === undefined) return true
  return wanted instanceof IDBKeyRange ? wanted.includes(key) : indexedDB.cmp(key, wanted) === 0
}

function storeOf({ path, indexes }: StoreShape) {
  let rows: { key: Key; value: Value }[] = []
  let last = 0
  const remove = (wanted: KeyQuery) => {
    rows = rows.filter(({ key }) => !matchesKey(key, wanted))
  }
  async function put(record: Value, key?: Key): Promise<Key> {
    const value = structuredClone(record)
    if (path === 'number' && value.number === undefined) value.number = ++last
    const own = key ?? (path === undefined ? undefined : keyAt(value, path))
    if (own === undefined) throw new DOMException('A record without a key', 'DataError')
    remove(own)
    rows = [...rows, { key: own, value }].sort((one, other) => indexedDB.cmp(one.key, other.key))
    return own
  }
  const rowsMatching = (wanted?: KeyQuery) => rows.filter(({ key }) => matchesKey(key, wanted))
  return {
    put,
    add: put,
    get: async (key: Key) => structuredClone(rowsMatching(key)[0]?.value),
    count: async (wanted?: KeyQuery) => rowsMatching(wanted).length,
    getAll: async (wanted?: KeyQuery) => rowsMatching(wanted).map(({ value }) => structuredClone(value)),
    getAllKeys: async (wanted?: KeyQuery) => rowsMatching(wanted).map(({ key }) => key),
    delete: async (wanted: KeyQuery) => remove(wanted),
    index: (name: string) => ({
      async *iterate(wanted: KeyQuery) {
        for (const { key, value } of rows.filter(({ value }) => matchesKey(keyAt(value, indexes[name] ?? ''), wanted)))
          yield { value, update: (after: Value) => put(after, key), delete: async () => remove(key) }
      },
    }),
  }
}

/** An empty database. Each of its parts is done at once: no other tab has it. @returns what of a database the app uses */
export function memoryDatabase<Used>(): Used {
  const stores = new Map(Object.entries(SHAPES).map(([name, shape]) => [name, storeOf(shape)]))
  const store = (name: string) => {
    const known = stores.get(name)
    if (!known) throw new DOMException(`There is no store ${name}.`, 'NotFoundError')
    return known
  }
  // An object of the browser's own class cannot be made: this one has what the app uses of it.
  return Object.assign(Object.create(null), {
    get: (name: string, key: Key) => store(name).get(key),
    put: (name: string, value: Value, key?: Key) => store(name).put(value, key),
    delete: (name: string, wanted: KeyQuery) => store(name).delete(wanted),
    count: (name: string, wanted?: KeyQuery) => store(name).count(wanted),
    getAll: (name: string, wanted?: KeyQuery) => store(name).getAll(wanted),
    getAllKeys: (name: string, wanted?: KeyQuery) => store(name).getAllKeys(wanted),
    transaction: (names: string | readonly string[]) => ({
      objectStore: store,
      store: store([names].flat()[0] ?? ''),
      commit: () => {},
      done: Promise.resolve(),
    }),
  })
}
