/* The functions of cudla.h, each passed on to a function that Python installed. */
#include <stddef.h>
#include <stdint.h>

enum { CALLS = 13, DRIVER_NOT_FOUND = 15 };

static void *installed[CALLS];

/* Take CALLS function pointers, or NULL to forget them. */
void dla_ros_emulator_install(void *const *calls) {
    for (int call = 0; call < CALLS; ++call)
        installed[call] = calls ? calls[call] : NULL;
}

#define FORWARD(call, name, parameters, arguments)                             \
    int name parameters {                                                      \
        int(*function) parameters = (int(*) parameters)installed[call];        \
        return function ? function arguments : DRIVER_NOT_FOUND;               \
    }

FORWARD(0, cudlaGetVersion, (uint64_t * version), (version))
FORWARD(1, cudlaDeviceGetCount, (uint64_t * count), (count))
FORWARD(2, cudlaCreateDevice, (uint64_t core, void **handle, uint32_t flags), (core, handle, flags))
FORWARD(3, cudlaMemRegister,
        (void *handle, const uint64_t *address, size_t size, uint64_t **mapped, uint32_t flags),
        (handle, address, size, mapped, flags))
FORWARD(4, cudlaModuleLoadFromMemory,
        (void *handle, const uint8_t *data, size_t size, void **module, uint32_t flags),
        (handle, data, size, module, flags))
FORWARD(5, cudlaModuleGetAttributes, (void *module, int type, void *attribute),
        (module, type, attribute))
FORWARD(6, cudlaModuleUnload, (void *module, uint32_t flags), (module, flags))
FORWARD(7, cudlaSubmitTask,
        (void *handle, const void *tasks, uint32_t count, void *stream, uint32_t flags),
        (handle, tasks, count, stream, flags))
FORWARD(8, cudlaDeviceGetAttribute, (void *handle, int type, void *attribute),
        (handle, type, attribute))
FORWARD(9, cudlaMemUnregister, (void *handle, const uint64_t *mapped), (handle, mapped))
FORWARD(10, cudlaGetLastError, (void *handle), (handle))
FORWARD(11, cudlaDestroyDevice, (void *handle), (handle))
FORWARD(12, cudlaSetTaskTimeoutInMs, (void *handle, uint32_t milliseconds), (handle, milliseconds))
