/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-files.h"

#include "ear-test-made.h"
#include "ear-test-seed.h"

#include <glib/gstdio.h>
#include <string.h>

#define BASE_MARK "@BASE@"

typedef struct
{
  char *prefix;    /* starts with '/', ends without */
  char *directory;
} Mount;

typedef struct
{
  EarTestFile *file;
  gint64 modified;
  goffset size;
} Cached;

/* The content of each path. Mounts, seed and audio are set before the server starts;
 * files in memory may change while it runs. */
struct _EarTestFiles
{
  GObject parent_instance;

  GMutex lock; /* of memory, ways and cache */

  /* Owned */
  GPtrArray *mounts;
  GHashTable *memory;
  GHashTable *ways; /* path: path served in its place */
  GHashTable *cache;
  char *seed;
  char *audio;
};

G_DEFINE_FINAL_TYPE (EarTestFiles, ear_test_files, G_TYPE_OBJECT)

static void
mount_free (gpointer data)
{
  Mount *mount = data;

  g_free (mount->prefix);
  g_free (mount->directory);
  g_free (mount);
}

static void
cached_free (gpointer data)
{
  Cached *cached = data;

  ear_test_file_unref (cached->file);
  g_free (cached);
}

static const struct
{
  const char *suffix;
  const char *type;
} types[] = {
  { ".chapters.json", "application/json+chapters" },
  { ".atom", "application/atom+xml" },
  { ".html", "text/html" },
  { ".jpeg", "image/jpeg" },
  { ".jpg", "image/jpeg" },
  { ".json", "application/json" },
  { ".m4a", "audio/mp4" },
  { ".mp3", "audio/mpeg" },
  { ".mp4", "video/mp4" },
  { ".ogg", "audio/ogg" },
  { ".ogv", "video/ogg" },
  { ".opml", "text/x-opml" },
  { ".opus", "audio/ogg" },
  { ".png", "image/png" },
  { ".rss", "application/rss+xml" },
  { ".srt", "application/x-subrip" },
  { ".svg", "image/svg+xml" },
  { ".txt", "text/plain" },
  { ".vtt", "text/vtt" },
  { ".wav", "audio/wav" },
  { ".webm", "video/webm" },
  { ".xml", "application/rss+xml" },
};

/* The charset in the header overrides the one in the XML, so it is only sent where
 * it is right. */
static char *
guess_type (const char *path,
            GBytes     *bytes)
{
  const char *type = "application/octet-stream";
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  gboolean text;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_has_suffix (path, types[i].suffix))
      {
        type = types[i].type;
        break;
      }

  text = g_str_has_prefix (type, "text/") || g_str_has_suffix (type, "xml");
  if (text && g_utf8_validate (data, size, NULL))
    return g_strconcat (type, "; charset=utf-8", NULL);

  return g_strdup (type);
}

static gboolean
find_in_bytes (GBytes     *bytes,
               const char *mark)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return data != NULL && memmem (data, size, mark, strlen (mark)) != NULL;
}

static GBytes *
replace_mark (GBytes     *bytes,
              const char *base)
{
  gsize size;
  const char *p = g_bytes_get_data (bytes, &size);
  const char *end = p + size;
  GString *out = g_string_sized_new (size + 1024);

  while (p < end)
    {
      const char *mark = memmem (p, end - p, BASE_MARK, strlen (BASE_MARK));

      g_string_append_len (out, p, (mark != NULL ? mark : end) - p);
      if (mark == NULL)
        break;
      g_string_append (out, base);
      p = mark + strlen (BASE_MARK);
    }

  return g_string_free_to_bytes (out);
}

static void
ear_test_files_finalize (GObject *object)
{
  EarTestFiles *self = EAR_TEST_FILES (object);

  g_ptr_array_unref (self->mounts);
  g_hash_table_unref (self->memory);
  g_hash_table_unref (self->ways);
  g_hash_table_unref (self->cache);
  g_free (self->seed);
  g_free (self->audio);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (ear_test_files_parent_class)->finalize (object);
}

static void
ear_test_files_class_init (EarTestFilesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_test_files_finalize;
}

static void
ear_test_files_init (EarTestFiles *self)
{
  g_mutex_init (&self->lock);
  self->mounts = g_ptr_array_new_with_free_func (mount_free);
  self->ways = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->memory = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ear_test_file_unref);
  self->cache = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, cached_free);
}

/**
 * ear_test_file_new:
 * @bytes: the content
 * @type: its Content-Type
 * @modified: time of the last change
 *
 * Returns: (transfer full): a file to serve
 */
EarTestFile *
ear_test_file_new (GBytes     *bytes,
                   const char *type,
                   GDateTime  *modified)
{
  EarTestFile *self = g_new0 (EarTestFile, 1);
  g_autofree char *sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);

  g_atomic_ref_count_init (&self->ref_count);
  self->bytes = g_bytes_ref (bytes);
  self->type = g_strdup (type);
  self->etag = g_strdup_printf ("\"%.20s\"", sum);
  self->modified = g_date_time_new_from_unix_utc (g_date_time_to_unix (modified));

  return self;
}

EarTestFile *
ear_test_file_ref (EarTestFile *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
ear_test_file_unref (EarTestFile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_bytes_unref (self->bytes);
  g_clear_pointer (&self->gzip, g_bytes_unref);
  g_free (self->type);
  g_free (self->etag);
  g_date_time_unref (self->modified);
  g_free (self);
}

/**
 * ear_test_file_is_text:
 * @self: a file
 *
 * Returns: whether compression is worthwhile
 */
gboolean
ear_test_file_is_text (EarTestFile *self)
{
  return g_str_has_prefix (self->type, "text/") || strstr (self->type, "xml") != NULL ||
         strstr (self->type, "json") != NULL;
}

/**
 * ear_test_file_get_gzip:
 * @self: a file
 *
 * Returns: (transfer none): the content, compressed with gzip
 */
GBytes *
ear_test_file_get_gzip (EarTestFile *self)
{
  if (self->gzip == NULL)
    {
      g_autoptr (GZlibCompressor) zip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 4);

      self->gzip = g_converter_convert_bytes (G_CONVERTER (zip), self->bytes, NULL);
    }

  return self->gzip;
}

/**
 * ear_test_files_new:
 *
 * Returns: (transfer full): an empty set, except for generated content
 */
EarTestFiles *
ear_test_files_new (void)
{
  return g_object_new (EAR_TYPE_TEST_FILES, NULL);
}

/**
 * ear_test_files_mount:
 * @self: the files
 * @prefix: path of the folder: "" or for example "/demo"
 * @directory: a folder
 */
void
ear_test_files_mount (EarTestFiles *self,
                      const char   *prefix,
                      const char   *directory)
{
  Mount *mount = g_new0 (Mount, 1);

  mount->prefix = g_strdup (prefix);
  mount->directory = g_strdup (directory);
  /* The longest prefix is searched first, the root last. */
  g_ptr_array_insert (self->mounts, *prefix == '\0' ? -1 : 0, mount);
}

/**
 * ear_test_files_set_seed:
 * @self: the files
 * @path: an RSS feed to serve at `/seed/feed.xml` with local sound and pictures
 */
void
ear_test_files_set_seed (EarTestFiles *self,
                         const char   *path)
{
  g_set_str (&self->seed, path);
}

/**
 * ear_test_files_set_audio:
 * @self: the files
 * @path: sound of all episodes without local sound
 */
void
ear_test_files_set_audio (EarTestFiles *self,
                          const char   *path)
{
  g_set_str (&self->audio, path);
}

/**
 * ear_test_files_put:
 * @self: the files
 * @path: the path, for example "/feed.xml"
 * @type: (nullable): the Content-Type; guessed from @path if %NULL
 * @bytes: the content; `@BASE@` in it stands for the server's address
 *
 * Serves content from memory, or replaces it with a new version. Any thread.
 */
void
ear_test_files_put (EarTestFiles *self,
                    const char   *path,
                    const char   *type,
                    GBytes       *bytes)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autofree char *guessed = guess_type (path, bytes);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  g_hash_table_remove (self->ways, path);
  g_hash_table_insert (self->memory, g_strdup (path),
                       ear_test_file_new (bytes, type != NULL ? type : guessed, now));
}

/**
 * ear_test_files_put_way:
 * @self: the files
 * @path: a path
 * @way: another path to serve there until content is put there, usually with wrappers
 *
 * Any thread.
 */
void
ear_test_files_put_way (EarTestFiles *self,
                        const char   *path,
                        const char   *way)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  g_hash_table_insert (self->ways, g_strdup (path), g_strdup (way));
}

/**
 * ear_test_files_dup_way:
 * @self: the files
 * @path: a requested path
 *
 * Returns: (transfer full): the path to serve
 */
char *
ear_test_files_dup_way (EarTestFiles *self,
                        const char   *path)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  const char *way = g_hash_table_lookup (self->ways, path);

  return g_strdup (way != NULL ? way : path);
}

/**
 * ear_test_files_remove:
 * @self: the files
 * @path: a path given to ear_test_files_put()
 */
void
ear_test_files_remove (EarTestFiles *self,
                       const char   *path)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  g_hash_table_remove (self->memory, path);
}

/* The cache has one version for each key, replaced when the file on disk changes. */
static EarTestFile *
lookup_cache (EarTestFiles *self,
              const char   *key,
              gint64        modified,
              goffset       size)
{
  Cached *cached = g_hash_table_lookup (self->cache, key);

  if (cached == NULL || cached->modified != modified || cached->size != size)
    return NULL;

  return ear_test_file_ref (cached->file);
}

static void
store_cache (EarTestFiles *self,
             const char   *key,
             gint64        modified,
             goffset       size,
             EarTestFile  *file)
{
  Cached *cached = g_new0 (Cached, 1);

  cached->file = ear_test_file_ref (file);
  cached->modified = modified;
  cached->size = size;
  g_hash_table_insert (self->cache, g_strdup (key), cached);
}

/* Returns the file with `@BASE@` replaced; the date stays, the entity tag changes. */
static EarTestFile *
place_file (EarTestFiles *self,
            EarTestFile  *file,
            const char   *key,
            const char   *base)
{
  g_autofree char *placed_key = g_strconcat (key, "\n", base, "\n", file->etag, NULL);
  EarTestFile *placed = lookup_cache (self, placed_key, 0, 0);
  g_autoptr (GBytes) bytes = NULL;

  if (placed != NULL)
    return placed;

  bytes = replace_mark (file->bytes, base);
  placed = ear_test_file_new (bytes, file->type, file->modified);
  store_cache (self, placed_key, 0, 0, placed);

  return placed;
}

static EarTestFile *
load_file (EarTestFiles *self,
           const char   *path,
           const char   *base)
{
  g_autoptr (EarTestFile) file = NULL;
  GStatBuf status;
  gint64 modified;

  if (g_stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return NULL;

  modified = (gint64) status.st_mtim.tv_sec * G_USEC_PER_SEC * 1000 + status.st_mtim.tv_nsec;
  file = lookup_cache (self, path, modified, status.st_size);
  if (file == NULL)
    {
      g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (status.st_mtim.tv_sec);
      g_autoptr (GBytes) bytes = NULL;
      g_autofree char *type = NULL;
      char *data;
      gsize size;

      if (!g_file_get_contents (path, &data, &size, NULL))
        return NULL;
      bytes = g_bytes_new_take (data, size);
      type = guess_type (path, bytes);
      file = ear_test_file_new (bytes, type, date);
      store_cache (self, path, modified, status.st_size, file);
    }

  if (ear_test_file_is_text (file) && find_in_bytes (file->bytes, BASE_MARK))
    return place_file (self, file, path, base);

  return g_steal_pointer (&file);
}

static EarTestFile *
find_in_mounts (EarTestFiles *self,
                const char   *path,
                const char   *origin)
{
  for (guint i = 0; i < self->mounts->len; i++)
    {
      Mount *mount = self->mounts->pdata[i];
      const char *rest = path + strlen (mount->prefix);

      if (g_str_has_prefix (path, mount->prefix) && *rest == '/')
        {
          g_autofree char *file = g_build_filename (mount->directory, rest, NULL);
          g_autofree char *base = g_strconcat (origin, mount->prefix, NULL);
          EarTestFile *found = load_file (self, file, base);

          if (found != NULL)
            return found;
        }
    }

  return NULL;
}

/* Serves the demo's sounds in turn, if there are any. */
static EarTestFile *
find_audio (EarTestFiles *self,
            const char   *path,
            const char   *origin)
{
  static const char *const demos[] = { "/demo/play-button.mp3", "/demo/frames.mp3", "/demo/feeds.mp3" };
  guint64 number = g_ascii_strtoull (strrchr (path, '/') + 1, NULL, 10);
  g_autoptr (GDateTime) date = NULL;
  g_autoptr (GBytes) bytes = NULL;
  EarTestFile *file;

  if (self->audio != NULL)
    return load_file (self, self->audio, origin);
  file = find_in_mounts (self, demos[number % G_N_ELEMENTS (demos)], origin);
  if (file != NULL)
    return file;

  file = lookup_cache (self, "made sound", 0, 0);
  if (file == NULL)
    {
      date = g_date_time_new_utc (2026, 3, 1, 6, 0, 0);
      bytes = ear_test_made_sound (120);
      file = ear_test_file_new (bytes, "audio/wav", date);
      store_cache (self, "made sound", 0, 0, file);
    }

  return file;
}

static EarTestFile *
find_cover (EarTestFiles *self,
            const char   *origin)
{
  EarTestFile *file = find_in_mounts (self, "/demo/cover.jpg", origin);

  if (file == NULL)
    file = lookup_cache (self, "made cover", 0, 0);
  if (file == NULL)
    {
      g_autoptr (GDateTime) date = g_date_time_new_utc (2026, 3, 1, 6, 0, 0);
      g_autoptr (GBytes) bytes = ear_test_made_picture (3000, 0);

      file = ear_test_file_new (bytes, "image/png", date);
      store_cache (self, "made cover", 0, 0, file);
    }

  return file;
}

static EarTestFile *
find_seed (EarTestFiles *self,
           const char   *path,
           const char   *origin)
{
  g_autoptr (EarTestFile) original = NULL;
  g_autofree char *key = NULL;
  g_autofree char *base = g_strconcat (origin, "/seed", NULL);
  g_autofree char *address = g_strconcat (origin, path, NULL);
  g_autoptr (GBytes) bytes = NULL;
  EarTestFile *file;

  if (self->seed == NULL)
    return NULL;
  original = load_file (self, self->seed, origin);
  if (original == NULL)
    return NULL;

  key = g_strconcat ("seed ", address, original->etag, NULL);
  file = lookup_cache (self, key, 0, 0);
  if (file == NULL)
    {
      bytes = ear_test_seed_rewrite (original->bytes, base,
                                     g_str_equal (path, "/seed/local.xml") ? address : NULL);
      file = ear_test_file_new (bytes, "application/rss+xml; charset=utf-8", original->modified);
      store_cache (self, key, 0, 0, file);
    }

  return file;
}

/* Serves `/generated/NAME-ITEMS.xml`. */
static EarTestFile *
find_generated (EarTestFiles *self,
                const char   *path,
                const char   *origin)
{
  g_autofree char *key = g_strconcat ("made feed ", path, " ", origin, NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *base = g_strconcat (origin, "/generated", NULL);
  const char *dash = strrchr (name, '-');
  guint64 items = dash != NULL ? g_ascii_strtoull (dash + 1, NULL, 10) : 0;
  EarTestFile *file = lookup_cache (self, key, 0, 0);

  if (file != NULL || items > 100000 || !g_str_has_suffix (name, ".xml"))
    return file;
  if (dash != NULL)
    {
      g_autoptr (GDateTime) date = g_date_time_new_utc (2026, 3, 1, 6, 0, 0);
      g_autoptr (GBytes) bytes = NULL;

      name[dash - name] = '\0';
      bytes = ear_test_made_feed (name, base, items);
      file = ear_test_file_new (bytes, "application/rss+xml; charset=utf-8", date);
      store_cache (self, key, 0, 0, file);
    }

  return file;
}

static EarTestFile *
find_in_memory (EarTestFiles *self,
                const char   *path,
                const char   *origin)
{
  EarTestFile *file = g_hash_table_lookup (self->memory, path);

  if (file == NULL)
    return NULL;
  if (ear_test_file_is_text (file) && find_in_bytes (file->bytes, BASE_MARK))
    return place_file (self, file, path, origin);

  return ear_test_file_ref (file);
}

static void
warm_folder (EarTestFiles *self,
             const char   *folder,
             const char   *path,
             const char   *origin)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (folder, name, NULL);
      g_autofree char *inner_path = g_strconcat (path, "/", name, NULL);
      g_autoptr (EarTestFile) file = NULL;

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        {
          warm_folder (self, inner, inner_path, origin);
          continue;
        }
      file = ear_test_files_find (self, inner_path, origin);
      if (file != NULL && ear_test_file_is_text (file))
        ear_test_file_get_gzip (file);
    }
}

/**
 * ear_test_files_warm:
 * @self: the files
 * @origin: scheme, host and port of later requests
 *
 * Reads, hashes and compresses all mounted files in advance, for measurements. Files with
 * `@BASE@` are only warm for this origin.
 */
void
ear_test_files_warm (EarTestFiles *self,
                     const char   *origin)
{
  for (guint i = 0; i < self->mounts->len; i++)
    {
      Mount *mount = self->mounts->pdata[i];

      warm_folder (self, mount->directory, mount->prefix, origin);
    }
}

/**
 * ear_test_files_find:
 * @self: the files
 * @path: an unescaped path without wrappers and without query
 * @origin: start of the addresses in the content: scheme, host, port and perhaps wrappers
 *
 * Returns: (transfer full) (nullable): the content of the path
 */
EarTestFile *
ear_test_files_find (EarTestFiles *self,
                     const char   *path,
                     const char   *origin)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  EarTestFile *file;

  if (*path != '/' || strstr (path, "/../") != NULL || g_str_has_suffix (path, "/.."))
    return NULL;

  file = find_in_memory (self, path, origin);
  if (file == NULL)
    file = find_in_mounts (self, path, origin);
  if (file != NULL)
    return file;

  if (g_str_has_prefix (path, "/seed/audio/") || g_str_has_prefix (path, "/generated/audio/"))
    return find_audio (self, path, origin);
  if (g_str_equal (path, "/seed/cover") || g_str_equal (path, "/generated/cover.png"))
    return find_cover (self, origin);
  if (g_str_equal (path, "/seed/feed.xml") || g_str_equal (path, "/seed/local.xml"))
    return find_seed (self, path, origin);
  if (g_str_has_prefix (path, "/generated/"))
    return find_generated (self, path, origin);

  return NULL;
}
