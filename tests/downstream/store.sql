-- What an earlier run of the program left: an entry of the journal, a finished key and one whose call had begun.
PRAGMA application_id = 0;
PRAGMA user_version = 5;
BEGIN TRANSACTION;
CREATE TABLE keys (
    key TEXT PRIMARY KEY, digest TEXT NOT NULL, state TEXT NOT NULL, token TEXT NOT NULL,
    leased DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION NOT NULL,
    result TEXT NOT NULL DEFAULT 'null', error TEXT NOT NULL DEFAULT 'null'
);
INSERT INTO "keys" VALUES('bc2f7e7e80364107df2ba3117e6cc8f558cb686985d2c07a0185c98c11c5abd8','4552b3594e2cc6a7ed78ff86e10aa5d9771de86eb740ab288d091deabeb40305','ok','a1',1795375826.0,1795462226.0,'{"id":"o3","items":[{"sku":"tea","count":1}],"currency":"EUR"}','null');
INSERT INTO "keys" VALUES('551a10c5fe7805e57a1fadf07f674b294de2cd2767ef0d46894439b25e4276dc','4552b3594e2cc6a7ed78ff86e10aa5d9771de86eb740ab288d091deabeb40305','begun','b2',1795375826.0,1795462226.0,'null','null');
CREATE INDEX keys_expires ON keys (expires);
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
    caller TEXT, request_id TEXT NOT NULL, state TEXT NOT NULL,
    instance TEXT NOT NULL, mode TEXT NOT NULL, expires DOUBLE PRECISION NOT NULL,
    input TEXT NOT NULL, output TEXT NOT NULL, metadata TEXT NOT NULL
);
INSERT INTO "entries" VALUES(1,'5f1daefb72a452017273ddf0762add27','shop_placeOrder@1.0.0',1795375826.0,NULL,'bf1d90b0b3de517b','done','','',1797967826.0,'{"items":[{"sku":"tea","count":1}]}','{"id":"o2","items":[{"sku":"tea","count":1}]}','{}');
CREATE INDEX entries_expires ON entries (expires);
CREATE TABLE approvals (approval TEXT PRIMARY KEY, expires DOUBLE PRECISION NOT NULL);
CREATE TABLE calls (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);
CREATE INDEX calls_name ON calls (name, at);
CREATE INDEX calls_expires ON calls (expires);
CREATE TABLE slots (
    token TEXT PRIMARY KEY, name TEXT NOT NULL, leased DOUBLE PRECISION NOT NULL
);
CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL);
COMMIT;
