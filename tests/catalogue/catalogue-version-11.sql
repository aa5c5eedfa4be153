-- A catalogue made by version 11 of the schema: two refreshed podcasts, an unfollowed one, links, and
-- the transcript of an episode. Do not change it: listeners have such files.
PRAGMA application_id = 1161908813;
PRAGMA page_size = 16384;
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE podcast (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, title TEXT, place INTEGER NOT NULL DEFAULT 0, hidden
  INTEGER NOT NULL DEFAULT 0, digest INTEGER NOT NULL DEFAULT 0, link TEXT, description TEXT, image TEXT, language TEXT, author
  TEXT, copyright TEXT, generator TEXT, owner_name TEXT, owner_email TEXT, type TEXT, new_address TEXT, next_address TEXT, guid
  TEXT, published INTEGER, explicit INTEGER NOT NULL DEFAULT 0, complete INTEGER NOT NULL DEFAULT 0, blocked INTEGER NOT NULL
  DEFAULT 0, extra BLOB, followed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE podcast_check (podcast INTEGER PRIMARY KEY, feed_address TEXT, etag TEXT, last_modified TEXT, checked INTEGER NOT
  NULL DEFAULT 0, answers INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0,
  error INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0, newest INTEGER NOT NULL DEFAULT 0, settled INTEGER NOT
  NULL DEFAULT 0);
CREATE TABLE podcast_count (podcast INTEGER PRIMARY KEY, n_episodes INTEGER NOT NULL DEFAULT 0, n_unplayed INTEGER NOT NULL
  DEFAULT 0);
CREATE TABLE episode (id INTEGER PRIMARY KEY, podcast INTEGER NOT NULL, guid TEXT NOT NULL, own_guid INTEGER NOT NULL DEFAULT 1,
  sort_key INTEGER NOT NULL, digest INTEGER NOT NULL, text_digest INTEGER NOT NULL, gone INTEGER NOT NULL DEFAULT 0, position
  INTEGER NOT NULL DEFAULT 0, listened INTEGER NOT NULL DEFAULT 0, liked INTEGER NOT NULL DEFAULT 0, position_updated INTEGER NOT
  NULL DEFAULT 0, listened_updated INTEGER NOT NULL DEFAULT 0, liked_updated INTEGER NOT NULL DEFAULT 0, measured INTEGER NOT NULL
  DEFAULT 0, duration INTEGER NOT NULL DEFAULT 0, published INTEGER, season INTEGER NOT NULL DEFAULT 0, number TEXT, type INTEGER
  NOT NULL DEFAULT 0, explicit INTEGER NOT NULL DEFAULT 0, title TEXT, subtitle TEXT, link TEXT, author TEXT, image TEXT,
  enclosure TEXT, mime_type TEXT, size INTEGER NOT NULL DEFAULT 0, extra BLOB, fresh INTEGER NOT NULL DEFAULT 0, feed_guid TEXT,
  download INTEGER NOT NULL DEFAULT 0, shift INTEGER NOT NULL DEFAULT 0, shift_updated INTEGER NOT NULL DEFAULT 0, queued INTEGER
  NOT NULL DEFAULT 0, queued_updated INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0, archived_updated INTEGER NOT
  NULL DEFAULT 0, download_place INTEGER NOT NULL DEFAULT 0, links INTEGER);
CREATE TABLE notes (episode INTEGER PRIMARY KEY, text TEXT NOT NULL, base TEXT);
CREATE VIRTUAL TABLE episode_text USING fts5 (title, notes, podcast, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'");
CREATE TABLE waiting_state (podcast INTEGER NOT NULL, guid TEXT NOT NULL, position INTEGER NOT NULL, listened INTEGER NOT NULL,
  liked INTEGER NOT NULL, position_updated INTEGER NOT NULL, listened_updated INTEGER NOT NULL, liked_updated INTEGER NOT NULL,
  shift INTEGER NOT NULL DEFAULT 0, shift_updated INTEGER NOT NULL DEFAULT 0, queued INTEGER NOT NULL DEFAULT 0, queued_updated
  INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0, archived_updated INTEGER NOT NULL DEFAULT 0, PRIMARY KEY
  (podcast, guid)) WITHOUT ROWID;
CREATE TABLE podcast_setting (podcast INTEGER NOT NULL, setting TEXT NOT NULL, value INTEGER NOT NULL, updated INTEGER NOT NULL,
  PRIMARY KEY (podcast, setting)) WITHOUT ROWID;
CREATE TABLE transcript (episode INTEGER PRIMARY KEY, digest INTEGER NOT NULL);
CREATE VIRTUAL TABLE sentence_text USING fts5 (text, start UNINDEXED, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'");
CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE link (id INTEGER PRIMARY KEY, digest INTEGER NOT NULL, host INTEGER NOT NULL, kind INTEGER NOT NULL, address TEXT NOT
  NULL);
CREATE TABLE mention (sort_key INTEGER NOT NULL, place INTEGER NOT NULL, link INTEGER NOT NULL, podcast INTEGER NOT NULL, words
  TEXT, heading TEXT, PRIMARY KEY (sort_key DESC, place)) WITHOUT ROWID;
CREATE INDEX podcast_hidden ON podcast (id) WHERE hidden <> 0;
CREATE UNIQUE INDEX episode_guid ON episode (podcast, guid);
CREATE INDEX episode_all ON episode (sort_key, podcast, listened);
CREATE INDEX episode_of ON episode (podcast, sort_key, listened);
CREATE INDEX episode_liked ON episode (sort_key, podcast, liked) WHERE liked = 1;
CREATE INDEX episode_heard ON episode (position_updated, sort_key, podcast, listened, position) WHERE listened = 1 OR position >
  0;
CREATE UNIQUE INDEX episode_feed_guid ON episode (podcast, feed_guid) WHERE feed_guid IS NOT NULL;
CREATE INDEX episode_download ON episode (sort_key, podcast, download) WHERE download <> 0;
CREATE INDEX episode_queued ON episode (queued, sort_key, podcast, listened) WHERE queued > 0;
CREATE INDEX episode_fresh ON episode (sort_key, podcast, fresh, listened, position, archived) WHERE fresh = 1 AND listened = 0
  AND position = 0 AND archived = 0;
CREATE INDEX episode_begun ON episode (sort_key, podcast, listened, position, archived) WHERE listened = 0 AND position > 0 AND
  archived = 0;
CREATE INDEX episode_downloads ON episode (download, download_place, sort_key DESC, podcast) WHERE download <> 0;
CREATE INDEX episode_unlinked ON episode (sort_key) WHERE links IS NULL;
CREATE UNIQUE INDEX link_digest ON link (digest);
CREATE INDEX link_host ON link (host, kind);
CREATE TRIGGER episode_inserted AFTER INSERT ON episode BEGIN UPDATE podcast_count SET n_episodes = n_episodes + 1, n_unplayed =
  n_unplayed + (NEW.listened = 0) WHERE podcast = NEW.podcast; END;
CREATE TRIGGER episode_deleted AFTER DELETE ON episode BEGIN UPDATE podcast_count SET n_episodes = n_episodes - 1, n_unplayed =
  n_unplayed - (OLD.listened = 0) WHERE podcast = OLD.podcast; END;
CREATE TRIGGER episode_listened AFTER UPDATE OF listened ON episode WHEN NEW.listened <> OLD.listened BEGIN UPDATE podcast_count
  SET n_unplayed = n_unplayed + (NEW.listened = 0) - (OLD.listened = 0) WHERE podcast = NEW.podcast; END;
CREATE TRIGGER episode_transcript AFTER DELETE ON episode WHEN EXISTS (SELECT 1 FROM transcript WHERE episode = OLD.id) BEGIN
  DELETE FROM sentence_text WHERE rowid >= OLD.id << 18 AND rowid < (OLD.id + 1) << 18; DELETE FROM transcript WHERE episode =
  OLD.id; END;
CREATE TRIGGER episode_mentions AFTER DELETE ON episode WHEN OLD.links > 0 BEGIN DELETE FROM mention WHERE sort_key =
  OLD.sort_key; END;

INSERT INTO meta VALUES ('exit', 1);
INSERT INTO episode_text (episode_text, rank) VALUES ('hashsize', 33554432);
INSERT INTO episode_text (episode_text, rank) VALUES ('pgsz', 8100);
INSERT INTO episode_text (episode_text, rank) VALUES ('automerge', 0);
INSERT INTO episode_text (episode_text, rank) VALUES ('crisismerge', 100);

INSERT INTO podcast (id, address, title, hidden) VALUES
  (1, 'https://example.org/one', 'One', 0),
  (2, 'https://example.org/two', 'Two', 0),
  (3, 'https://example.org/three', 'Three', 1700000000),
  (4, 'https://example.org/four', 'Four, never fetched', 0);
INSERT INTO podcast_check (podcast, etag, checked, answers) VALUES
  (1, '"one"', 1700000000, 3), (2, NULL, 1700000000, 1), (3, NULL, 1700000000, 1), (4, NULL, 0, 0);
INSERT INTO podcast_count (podcast) VALUES (1), (2), (3), (4);
INSERT INTO episode (id, podcast, guid, sort_key, digest, text_digest, position, listened, liked,
                     position_updated, listened_updated, liked_updated, published, title, enclosure) VALUES
  (1, 1, 'one-3', 6800000003, 1, 1, 0, 0, 0, 0, 0, 0, 1700000000, 'Tensors', 'https://example.org/3.mp3'),
  (2, 1, 'one-2', 6800000002, 1, 1, 60000000, 0, 0, 1690000000000000, 0, 0, 1699999999, 'Kernels', 'https://example.org/2.mp3'),
  (3, 1, 'one-1', 6800000001, 1, 1, 0, 1, 1, 1680000000000000, 1680000000000000, 9, 1699999998, 'Compilers', NULL),
  (4, 2, 'two-1', 6700000001, 1, 1, 0, 1, 0, 0, 1695000000000000, 0, 1675000000, 'Of __torch_function__', NULL),
  (5, 3, 'three-1', 6600000001, 1, 1, 5, 0, 0, 1, 0, 0, 1650000000, 'Hidden', NULL);
INSERT INTO notes VALUES (1, '<p>About <b>tensors</b> &amp; more</p>', NULL), (4, 'AOTAutograd', 'https://example.org/');
INSERT INTO episode_text (rowid, title, notes, podcast) VALUES
  (6800000003, 'Tensors', 'About tensors & more', 'p1'),
  (6800000002, 'Kernels', '', 'p1'),
  (6800000001, 'Compilers', '', 'p1'),
  (6700000001, 'Of __torch_function__', 'AOTAutograd', 'p2'),
  (6600000001, 'Hidden', '', 'p3');
UPDATE episode SET links = 0;
UPDATE episode SET links = 3 WHERE id = 1;
UPDATE episode SET links = 1 WHERE id = 5;
UPDATE episode SET links = NULL WHERE id = 4;
INSERT INTO host VALUES (1, 'example.org'), (2, 'github.com');
INSERT INTO link (id, digest, host, kind, address) VALUES
  (1, 101, 1, 4, 'https://www.example.org/page/one?a=/b#c'),
  (2, -102, 2, 0, 'https://github.com/a/b/pull/1'),
  (3, 103, 1, 6, 'http://example.org');
INSERT INTO mention (sort_key, place, link, podcast, words, heading) VALUES
  (6800000003, 0, 1, 1, 'Page', 'Further reading'),
  (6800000003, 1, 2, 1, 'Pull', 'Further reading'),
  (6800000003, 2, 3, 1, NULL, NULL),
  (6800000001, 0, 1, 1, 'The page', NULL),
  (6600000001, 0, 2, 3, 'Pull', 'Links');
UPDATE episode SET links = 1 WHERE id = 3;
INSERT INTO transcript VALUES (2, 7);
INSERT INTO sentence_text (rowid, text, start) VALUES
  (524288, 'We call __torch_dispatch__ here', 1000000),
  (524289, 'and then something else', 2500000);
PRAGMA user_version = 11;
COMMIT;
