// In place of a package that another package loads and the service never calls.
module.exports = {};
